import type { Override } from '#target/behaviour/behaviour'
import { memory } from '#target/overrides/memory'
import { around, remembering } from '#target/overrides/operators'
import type { JsonObject } from '#target/wire'
import { appended, indexOf, knowingOwners, written } from '../../../tools/items.ts'
import { defectsOf } from '../../../tools/table.ts'

/** What is to go behind such an item is put elsewhere. */
const behind = (fits: (named: JsonObject) => boolean, elsewhere: (items: JsonObject[]) => number): Override =>
  around('conversation.position', (position) => (previous, items) => {
    const named = items[indexOf(items, previous)]
    return named !== undefined && fits(named) ? elsewhere(items) : position(previous, items)
  })

export const itemCreateDefects = defectsOf('control-channel.item-create', {
  'inserted-after-named~outputs: An output is appended wherever it is to stand.': appended('function_call_output'),
  'inserted-after-named: An item is put before the named one.': around(
    'conversation.position',
    (position) => (previous, items) =>
      typeof previous === 'string' && previous !== 'root'
        ? Math.max(0, position(previous, items) - 1)
        : position(previous, items),
  ),
  'inserted-after-named~generated: An item that is to go behind one made by generation is appended.': (behaviour) => {
    const made = written(behaviour)
    const { position } = behaviour.conversation
    behaviour.conversation.position = (previous, items) =>
      made.has(previous) ? items.length : position(previous, items)
  },
  'inserted-after-named~twice: The second item after the same one is put after the first such item.': remembering(
    () => {
      const followers = memory(() => ({ named: undefined as string | undefined, last: new Map<string, string>() }))
      return [
        around('conversation.position', (position) => (previous, items) => {
          const known = followers(items)
          known.named = typeof previous === 'string' && previous !== 'root' ? previous : undefined
          const last = known.named === undefined ? undefined : known.last.get(known.named)
          return position(last !== undefined && indexOf(items, last) >= 0 ? last : previous, items)
        }),
        around('conversation.stores', (stores) => (item, items) => {
          const { named, last } = followers(items)
          if (named !== undefined) last.set(named, String(item['id']))
          return stores(item, items)
        }),
      ]
    },
  ),
  'inserted-after-named~busy: While a response is active, an item is appended wherever it is to stand.': knowingOwners(
    (ownerOf) => [
      around(
        'conversation.position',
        (position) => (previous, items) =>
          ownerOf(items)?.response === undefined ? position(previous, items) : items.length,
      ),
    ],
  ),
  'inserted-after-named~system: An item that is to go behind a system message is put first.': behind(
    ({ role }) => role === 'system',
    () => 0,
  ),
  'inserted-after-named~call: An item that is to go behind a function call is appended.': behind(
    ({ type }) => type === 'function_call',
    ({ length }) => length,
  ),
})
