import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { change } from '#target/overrides/changes'
import { beforeConnect } from '#target/overrides/events'
import { around, remembering } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import type { JsonObject } from '#target/wire'

/** The ids of items that generation and scripts wrote. */
export function written({ conversation }: Behaviour): Set<unknown> {
  const ids = new Set<unknown>()
  const { kept } = conversation
  conversation.kept = (item, plan) => {
    ids.add(item['id'])
    return kept(item, plan)
  }
  return ids
}

export const withText = (item: JsonObject, make: (text: string) => string): JsonObject =>
  change('content.*.text', (text) => (typeof text === 'string' ? make(text) : text))(item)

export const indexOf = (items: JsonObject[], id: unknown): number => items.findIndex((item) => item['id'] === id)

/** Whether an item has this id, or one that differs from it in case only. */
export const isCalledLike =
  (id: unknown) =>
  (item: JsonObject): boolean =>
    String(item['id']).toLowerCase() === String(id).toLowerCase()

/** Whether one of these ids is another one in nothing but its case. */
export const isAmong = (ids: Iterable<unknown>, id: unknown): boolean =>
  [...ids].some((one) => String(one).toLowerCase() === String(id).toLowerCase())

/** Items of a type are appended, whatever the create says of their place. */
export const appended = (type: string): Override =>
  remembering(() => {
    let isSuch = false
    return [
      around('conversation.stored', (stored) => (item, id) => {
        isSuch = item['type'] === type
        return stored(item, id)
      }),
      around(
        'conversation.position',
        (position) => (previous, items) => position(isSuch ? undefined : previous, items),
      ),
      around(
        'conversation.announcedPrevious',
        (announcedPrevious) => (items, index, asked) => announcedPrevious(items, index, isSuch ? undefined : asked),
      ),
    ]
  })

/** Makes changes that know whose conversation some items are. */
export const knowingOwners = (
  use: (ownerOf: (items: object) => Session | undefined) => readonly Override[],
): Override =>
  remembering(() => {
    const owners = new WeakMap<object, Session>()
    return [beforeConnect((session) => void owners.set(session.items, session)), ...use((items) => owners.get(items))]
  })
