import type { ResponsePlan } from '../responses/run.ts'
import type { Session } from '../sessions/session.ts'
import type { JsonObject } from '../wire.ts'

/** 4.4 conversation items, and what generation and scripts write. */
export const conversation = () => ({
  /** "`previous_item_id` (optional; omitted = append; `root` = insert at start)". */
  position: (previous: unknown, items: JsonObject[]): number => {
    if (previous === 'root') return 0
    const index = items.findIndex((item) => item['id'] === previous)
    return index < 0 ? items.length : index + 1
  },
  /** The item before the new one, as `conversation.item.created` names it. */
  announcedPrevious: (items: JsonObject[], index: number, _asked: unknown): string | null => {
    const before = items[index - 1]?.['id']
    return typeof before === 'string' ? before : null
  },
  /** An item as it is kept: the caller's fields with id and status. */
  stored: (item: JsonObject, id: string): JsonObject => ({ ...item, id, status: item['status'] ?? 'completed' }),
  stores: (_item: JsonObject, _items: JsonObject[]): boolean => true,
  /** Whether a create is passed over in silence. */
  ignores: (_item: JsonObject, _items: JsonObject[]): boolean => false,
  /** The item that answers a create in place of a new one. */
  standing: (_item: JsonObject, _items: JsonObject[]): JsonObject | undefined => undefined,
  /** Whether a refused create is confirmed, too. */
  confirmsRefused: false,
  /** What a refused create does to the conversation: nothing. */
  onRefused: (_item: JsonObject, _items: JsonObject[]): void => undefined,
  /** Whether an accepted create starts a response by itself. */
  answers: (_item: JsonObject, _session: Session): boolean => false,
  /** The stored item of an id. */
  find: (items: JsonObject[], id: unknown): JsonObject | undefined => items.find((item) => item['id'] === id),
  /** What becomes of the conversation when an item, or an unknown one, is deleted. */
  remove: (items: JsonObject[], id: unknown): void => {
    const index = items.findIndex((item) => item['id'] === id)
    if (index >= 0) items.splice(index, 1)
  },
  /** What a refused delete does to the conversation: nothing. */
  onRefusedDelete: (_items: JsonObject[]): void => undefined,
  /** `auto` writes to the default conversation, `none` does not. */
  writes: (plan: ResponsePlan): boolean => plan.conversation !== 'none',
  /** Whether the item of a response is announced by `conversation.item.created`. */
  announces: (_plan: ResponsePlan, written: boolean): boolean => written,
  /** An output item as the conversation keeps it. */
  kept: (item: JsonObject, _plan: ResponsePlan): JsonObject => item,
})
