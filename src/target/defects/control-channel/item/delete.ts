import { beforeConnect, twice, withhold } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { around, drop, remembering, set } from '#target/overrides/operators'
import { textOf, type JsonObject } from '#target/wire'
import { DELETED, pointing } from '../../tools/control-channel.ts'
import { indexOf, isCalledLike, knowingOwners, written } from '../../tools/items.ts'
import { isInVideo } from '../../tools/modes.ts'
import { whileActive } from '../../tools/refusals.ts'
import { defectsOf } from '../../tools/table.ts'

export const itemDeleteDefects = defectsOf('control-channel.item-delete', {
  'answered: A known item is deleted in silence.': withhold(DELETED),
  'answered~busy: conversation.item.delete is refused while a response is active.': whileActive(
    'validations.itemDelete',
    ({ stored }) => stored,
  ),
  'gone: A deleted item stays.': set('conversation.remove', () => undefined),
  'gone~video: In video a deleted item stays.': knowingOwners((ownerOf) => [
    around('conversation.remove', (remove) => (items, id) => {
      if (!isInVideo(ownerOf(items))) remove(items, id)
    }),
  ]),
  'gone~function-call-output: The output of a function stays when it is deleted.': around(
    'conversation.remove',
    (remove) => (items, id) => {
      if (items[indexOf(items, id)]?.['type'] !== 'function_call_output') remove(items, id)
    },
  ),
  'gone~generated: Items that generation made survive their deletion.': (behaviour) => {
    const made = written(behaviour)
    const { remove } = behaviour.conversation
    behaviour.conversation.remove = (items, id) => {
      if (!made.has(id)) remove(items, id)
    }
  },
  'gone~reconnect: Deleted items are back after a reconnect.': remembering(() => {
    const deleted = memory(() => [] as JsonObject[])
    return [
      around('conversation.remove', (remove) => (items, id) => {
        const item = items[indexOf(items, id)]
        if (item !== undefined) deleted(items).push(item)
        remove(items, id)
      }),
      around('channel.onConnect', (onConnect) => (session) => {
        onConnect(session)
        session.items.push(...deleted(session.items).splice(0))
      }),
    ]
  }),
  'gone~inserted: A deleted item that had been inserted behind another is back when the next one is created.':
    remembering(() => {
      const known = memory(() => ({ behind: false, inserted: new Set<unknown>(), back: [] as JsonObject[] }))
      return [
        around('conversation.position', (position) => (previous, items) => {
          known(items).behind = typeof previous === 'string' && previous !== 'root'
          return position(previous, items)
        }),
        around('conversation.stores', (stores) => (item, items) => {
          const { behind, inserted, back } = known(items)
          if (behind) inserted.add(item['id'])
          items.unshift(...back.splice(0))
          return stores(item, items)
        }),
        around('conversation.remove', (remove) => (items, id) => {
          const item = items[indexOf(items, id)]
          if (item !== undefined && known(items).inserted.has(id)) known(items).back.push(item)
          remove(items, id)
        }),
      ]
    }),
  'others-kept: A deletion takes the rest of the conversation with it.': set('conversation.remove', (items, id) => {
    const index = items.findIndex((item) => item['id'] === id)
    if (index >= 0) items.splice(index)
  }),
  'others-kept~other-session: A deletion takes what has the same id in another session, too.': remembering(() => {
    const all = new Set<JsonObject[]>()
    return [
      beforeConnect(({ items }) => void all.add(items)),
      around('conversation.remove', (remove) => (_items, id) => {
        for (const items of all) remove(items, id)
      }),
    ]
  }),
  'others-kept~third: The third deletion of a conversation takes the item before it, too.': remembering(() => {
    const deletions = memory(() => ({ count: 0 }))
    return [
      around('conversation.remove', (remove) => (items, id) => {
        deletions(items).count += 1
        const before = items[indexOf(items, id) - 1]
        remove(items, id)
        if (deletions(items).count % 3 === 0 && before !== undefined) remove(items, before['id'])
      }),
    ]
  }),
  'others-kept~function-call: A deleted function call takes its output with it.': around(
    'conversation.remove',
    (remove) => (items, id) => {
      const call = items[indexOf(items, id)]
      remove(items, id)
      if (call?.['type'] !== 'function_call' || call['call_id'] === undefined) return
      const output = items.findIndex(
        (item) => item['type'] === 'function_call_output' && item['call_id'] === call['call_id'],
      )
      if (output >= 0) items.splice(output, 1)
    },
  ),
  'others-kept~case: A deletion takes the first item whose id differs in nothing but its case.': set(
    'conversation.remove',
    (items, id) => {
      const index = items.findIndex(isCalledLike(id))
      if (index >= 0) items.splice(index, 1)
    },
  ),
  'unknown-changes-nothing: A refused deletion takes the last item.': set(
    'conversation.onRefusedDelete',
    (items) => void items.pop(),
  ),
  'item-id-missing-rejected: Without an id nothing is deleted.': drop('validations.itemDelete', 'item-id-missing'),
  'last-item-moves: A deleted item still counts as the last one.': remembering(() => {
    const pointer = memory(() => ({ last: null as string | null }))
    return [
      around('conversation.stores', (stores) => (item, items) => {
        pointer(items).last = null
        return stores(item, items)
      }),
      around('conversation.remove', (remove) => (items, id) => {
        if (items.at(-1)?.['id'] === id) pointer(items).last = textOf(id) ?? null
        remove(items, id)
      }),
      pointing(pointer),
    ]
  }),
  'once: A deletion is confirmed twice.': twice(DELETED),
})
