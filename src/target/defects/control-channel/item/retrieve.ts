import type { Override } from '#target/behaviour/behaviour'
import { change, cutAt } from '#target/overrides/changes'
import { withhold, onEvent, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { around, drop, remembering, set } from '#target/overrides/operators'
import { type JsonObject, objectAt, objectsAt, without } from '#target/wire'
import { RETRIEVED } from '../../tools/control-channel.ts'
import { isCalledLike } from '../../tools/items.ts'
import { defectsOf } from '../../tools/table.ts'

/** Changes items of some kind when they are retrieved. */
const retrieved = (of: (item: JsonObject) => boolean, make: (item: JsonObject) => JsonObject): Override =>
  onEvent('conversation.item.retrieved', (event) => {
    const item = objectAt(event, 'item')
    return of(item) ? { ...event, item: make(item) } : event
  })

const isRole = (role: string) => (item: JsonObject) => item['role'] === role

const isType = (type: string) => (item: JsonObject) => item['type'] === type

const holds = (type: string) => (item: JsonObject) => objectsAt(item, 'content').some((part) => part['type'] === type)

const emptied = (item: JsonObject): JsonObject => ({ ...item, content: [] })

export const itemRetrieveDefects = defectsOf('control-channel.item-retrieve', {
  'answered: A known item is retrieved in silence.': withhold(RETRIEVED),
  'answered~odd-id: An item is told under its id without the letters beyond ASCII, and found under the whole one only.':
    onEvent(
      'conversation.item.created',
      change('item.id', (id) => (typeof id === 'string' ? id.replaceAll(/[^ -~]/g, '') : id)),
    ),
  'right-item: The last item is retrieved, whatever was asked.': around(
    'conversation.find',
    (find) => (items, id) =>
      find(items, id) === undefined ? undefined : items.at(items.length > 1 && items.at(-1)?.['id'] === id ? 0 : -1),
  ),
  'right-item~case: Of items whose ids differ in case only, the first one is retrieved for both.': set(
    'conversation.find',
    (items, id) => items.find(isCalledLike(id)),
  ),
  'content: An item is retrieved without content.': onEvent(
    RETRIEVED,
    change('item.content', (content) => (Array.isArray(content) ? [] : content)),
  ),
  'content~in-the-place: An item that is put where one was deleted is retrieved with the content of that one.':
    remembering(() => {
      const places = memory(() => ({
        gone: undefined as JsonObject | undefined,
        index: -1,
        old: new Map<unknown, JsonObject>(),
      }))
      return [
        around('conversation.remove', (remove) => (items, id) => {
          const index = items.findIndex((item) => item['id'] === id)
          Object.assign(places(items), { index, gone: items[index] })
          remove(items, id)
        }),
        around('conversation.stores', (stores) => (item, items) => {
          const { gone, index, old } = places(items)
          if (gone !== undefined && index === items.length) old.set(item['id'], gone)
          return stores(item, items)
        }),
        around('conversation.find', (find) => (items, id) => {
          const [item, gone] = [find(items, id), places(items).old.get(id)]
          return item === undefined || gone === undefined ? item : { ...gone, id: item['id'] }
        }),
      ]
    }),
  'content~first-part: A message of several parts is retrieved with the first one only.': onEvent(
    'conversation.item.retrieved',
    (event) => {
      const item = objectAt(event, 'item')
      return Array.isArray(item['content'])
        ? { ...event, item: { ...item, content: item['content'].slice(0, 1) } }
        : event
    },
  ),
  'content~call-id: A stored function call has another call_id than the one that was told.': around(
    'conversation.kept',
    (kept) => (item, plan) => {
      const one = kept(item, plan)
      return one['type'] === 'function_call' ? { ...one, call_id: `${String(one['call_id'])}_0` } : one
    },
  ),
  'content~several-parts: Of several parts of a message only the first one is retrieved.': onEvent(
    'conversation.item.retrieved',
    change('item.content', (parts) => (Array.isArray(parts) ? parts.slice(0, 1) : parts)),
  ),
  'content~reused-id: An item under the id of a deleted one is retrieved with the content of that one.': ({
    conversation,
  }) => {
    const deleted = memory(() => new Map<unknown, JsonObject>())
    const { remove, find } = conversation
    conversation.remove = (items, id) => {
      const item = find(items, id)
      if (item !== undefined) deleted(items).set(id, item)
      remove(items, id)
    }
    conversation.find = (items, id) => {
      const item = find(items, id)
      return item === undefined ? undefined : (deleted(items).get(id) ?? item)
    }
  },
  'content~system: A system message is retrieved as one of the user.': retrieved(isRole('system'), (item) => ({
    ...item,
    role: 'user',
  })),
  'content~assistant: A message of the assistant is retrieved as one of the user.': retrieved(
    isRole('assistant'),
    (item) => ({ ...item, role: 'user' }),
  ),
  'content~said-image: What the assistant said is retrieved with an image beside it.': retrieved(
    isRole('assistant'),
    change('content', (parts) =>
      Array.isArray(parts)
        ? [...parts, { type: 'input_image', image_url: 'https://example.com/of-another.png' }]
        : parts,
    ),
  ),
  'content~audio: Audio is retrieved as nothing.': retrieved(holds('input_audio'), emptied),
  'content~transcript: Audio is retrieved without the transcript that came with it.': retrieved(
    holds('input_audio'),
    (item) => ({ ...item, content: objectsAt(item, 'content').map((part) => without(part, 'transcript')) }),
  ),
  'content~image: An image is retrieved as nothing.': retrieved(holds('input_image'), emptied),
  'content~call: A function call is retrieved without its arguments.': retrieved(isType('function_call'), (item) => ({
    ...item,
    arguments: '{}',
  })),
  'content~call-cut: The arguments of a function call are retrieved up to their 1,024th character.': retrieved(
    isType('function_call'),
    change('arguments', cutAt(1_024)),
  ),
  'content~output: The output of a function is retrieved without its call.': retrieved(
    isType('function_call_output'),
    (item) => ({ ...item, call_id: 'call_0' }),
  ),
  'content~output-text: The output of a function is retrieved empty.': retrieved(
    isType('function_call_output'),
    (item) => ({ ...without(item, 'output'), output: '' }),
  ),
  'content~generated-role: What the model said is retrieved as a message of the user.': around(
    'conversation.kept',
    (kept) => (item, plan) => ({ ...kept(item, plan), ...(plan.kind === 'reply' ? { role: 'user' } : {}) }),
  ),
  'once: An item is retrieved twice.': twice(RETRIEVED),
  'unknown-not-retrieved: An unknown item is retrieved as an empty one.': [
    drop('validations.itemRetrieve', 'item-unknown'),
    around(
      'conversation.find',
      (find) => (items, id) =>
        find(items, id) ?? { id, type: 'message', role: 'user', content: [], status: 'incomplete' },
    ),
  ],
  'unknown-not-retrieved~refused: An item that is refused is kept all the same.': set(
    'conversation.onRefused',
    (item, items) => void items.push(item),
  ),
  'item-id-missing-rejected: Without an id the last item is retrieved.': [
    drop('validations.itemRetrieve', 'item-id-missing'),
    around('conversation.find', (find) => (items, id) => (id === undefined ? items.at(-1) : find(items, id))),
  ],
  'generated-item: Output cannot be retrieved.': around('conversation.kept', (kept) => (item, plan) => ({
    ...kept(item, plan),
    id: `hidden_${String(item['id'])}`,
  })),
  'changes-nothing: An item can be retrieved once.': around('conversation.find', (find) => (items, id) => {
    const found = find(items, id)
    if (found !== undefined) items.splice(items.indexOf(found), 1)
    return found
  }),
})
