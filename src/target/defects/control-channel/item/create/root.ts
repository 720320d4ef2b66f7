import { isInVideo } from '../../../tools/modes.ts'
import { refuseEvent } from '../../../tools/refusals.ts'
import { memory } from '#target/overrides/memory'
import { around, remembering } from '#target/overrides/operators'
import { textOf } from '#target/wire'
import { appended, indexOf, knowingOwners } from '../../../tools/items.ts'
import { defectsOf } from '../../../tools/table.ts'

export const itemCreateDefects = defectsOf('control-channel.item-create', {
  'root-inserts-at-start: At the root an item is put last.': around(
    'conversation.position',
    (position) => (previous, items) => (previous === 'root' ? items.length : position(previous, items)),
  ),
  'root-inserts-at-start~video: In video an item at the root is put last.': knowingOwners((ownerOf) => [
    around(
      'conversation.position',
      (position) => (previous, items) =>
        previous === 'root' && isInVideo(ownerOf(items)) ? items.length : position(previous, items),
    ),
  ]),
  'root-inserts-at-start~second: The second item at the root goes behind the first one.': remembering(() => {
    const rooted = memory(() => new Set<unknown>())
    let asRoot = false
    return [
      around('conversation.position', (position) => (previous, items) => {
        asRoot = previous === 'root'
        return asRoot && rooted(items).has(items[0]?.['id']) ? 1 : position(previous, items)
      }),
      around('conversation.stores', (stores) => (item, items) => {
        if (asRoot) rooted(items).add(item['id'])
        return stores(item, items)
      }),
    ]
  }),
  'root-inserts-at-start~first-deleted: Once the first item was deleted, the next one at the root goes last.':
    remembering(() => {
      const first = memory(() => ({ deleted: false }))
      return [
        around('conversation.remove', (remove) => (items, id) => {
          if (indexOf(items, id) === 0) first(items).deleted = true
          remove(items, id)
        }),
        around('conversation.position', (position) => (previous, items) => {
          const late = previous === 'root' && first(items).deleted
          if (late) first(items).deleted = false
          return late ? items.length : position(previous, items)
        }),
      ]
    }),
  'root-inserts-at-start~system: An item at the root goes behind a system message that stands there.': around(
    'conversation.position',
    (position) => (previous, items) =>
      previous === 'root' && items[0]?.['role'] === 'system' ? 1 : position(previous, items),
  ),
  'root-inserts-at-start~names-last: An item that is inserted at the start names the one that was last before it.':
    around('conversation.announcedPrevious', (announcedPrevious) => (items, index, asked) => {
      const last = textOf(items.at(-1)?.['id'])
      return asked === 'root' && last !== undefined ? last : announcedPrevious(items, index, asked)
    }),
  'root-inserts-at-start~calls: A call is appended wherever it is to stand.': appended('function_call'),
  'root-inserts-at-start~empty: Where there is no item, none can be put at the root.': refuseEvent(
    'validations.itemCreate',
    ({ event, stored }) => event['previous_item_id'] === 'root' && stored.length === 0,
  ),
})
