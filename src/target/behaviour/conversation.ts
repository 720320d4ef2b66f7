import type { ResponsePlan } from '../responses/run.ts'
import type { Wire } from '../wire.ts'

/** 4.4 conversation items, and what generation and scripts write. */
export const conversation = () => ({
  /** "`previous_item_id` (optional; omitted = append; `root` = insert at start)". */
  position: (previous: unknown, items: Wire[]): number => {
    if (previous === 'root') return 0
    const index = items.findIndex((item) => item['id'] === previous)
    return index < 0 ? items.length : index + 1
  },
  /** The item before the new one, as `conversation.item.created` names it. */
  announcedPrevious: (items: Wire[], index: number): string | null => {
    const before = items[index - 1]?.['id']
    return typeof before === 'string' ? before : null
  },
  /** An item as it is kept: the caller's fields with id and status. */
  stored: (item: Wire, id: string): Wire => ({ ...item, id, status: item['status'] ?? 'completed' }),
  stores: (_item: Wire, _items: Wire[]): boolean => true,
  deletes: (_id: unknown, _items: Wire[]): boolean => true,
  /** Whether a create is passed over in silence. */
  ignores: (_item: Wire, _items: Wire[]): boolean => false,
  /** `auto` writes to the default conversation, `none` does not. */
  writes: (plan: ResponsePlan): boolean => plan.conversation !== 'none',
  /** Whether the item of a response is announced by `conversation.item.created`. */
  announcesGenerated: true,
})
