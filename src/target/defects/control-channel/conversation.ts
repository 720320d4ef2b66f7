import { waive } from '#target/behaviour/rules/waive'
import type { Behaviour } from '#target/behaviour/behaviour'
import { textOf, type Wire, wireAt } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { again, memory, mute, onEvent, splitEvent, twice } from '../tools.ts'

const CREATED = 'conversation.item.created'
const RETRIEVED = 'conversation.item.retrieved'
const DELETED = 'conversation.item.deleted'

const idOf = (item: Wire | undefined): string | null => textOf(item?.['id']) ?? null

/** Makes `conversation.item.created` name as last what a pointer remembers. */
const pointing = ({ conversation }: Behaviour, track: (items: Wire[]) => { last: string | null }): void => {
  const { announcedPrevious } = conversation
  conversation.announcedPrevious = (items, index, asked) =>
    asked === undefined && index === items.length && items.length > 0
      ? (track(items).last ?? announcedPrevious(items, index, asked))
      : announcedPrevious(items, index, asked)
}

const createDefects = defectsOf('control-channel', {
  'item-create.confirmed': ['Items of the client are not confirmed.', (b) => mute(b, CREATED, isOwnItem)],
  'item-create.confirmed-once': [
    'Items of the client are confirmed twice.',
    (b) => splitEvent(b, CREATED, (event) => (isOwnItem(event) ? [event, again(event)] : [event])),
  ],
  'item-create.rejected-not-confirmed': [
    'A refused item is confirmed, too.',
    ({ conversation }) => void (conversation.confirmsRefused = true),
  ],
  'item-create.content-kept': [
    'Text is trimmed and lowered.',
    ({ conversation }) => {
      const { stored } = conversation
      conversation.stored = (item, id) =>
        change('content.*.text', (text) => (typeof text === 'string' ? text.trim().toLowerCase() : text))(
          stored(item, id),
        )
    },
  ],
  'item-create.stored': [
    'A confirmed item is not kept.',
    ({ conversation }) => void (conversation.stores = () => false),
  ],
  'item-create.appended-when-omitted': [
    'Without a place an item is put second.',
    ({ conversation }) => {
      const { position } = conversation
      conversation.position = (previous, items) =>
        previous === undefined ? Math.min(1, items.length) : position(previous, items)
    },
  ],
  'item-create.appended-names-last': [
    'An appended item names nobody before it.',
    ({ conversation }) => {
      const { announcedPrevious } = conversation
      conversation.announcedPrevious = (items, index, asked) =>
        asked === undefined ? null : announcedPrevious(items, index, asked)
    },
  ],
  'item-create.root-inserts-at-start': [
    'At the root an item is put last.',
    ({ conversation }) => {
      const { position } = conversation
      conversation.position = (previous, items) => (previous === 'root' ? items.length : position(previous, items))
    },
  ],
  'item-create.inserted-after-named': [
    'An item is put before the named one.',
    ({ conversation }) => {
      const { position } = conversation
      conversation.position = (previous, items) =>
        typeof previous === 'string' && previous !== 'root'
          ? Math.max(0, position(previous, items) - 1)
          : position(previous, items)
    },
  ],
  'item-create.insertion-keeps-last': [
    'An inserted item counts as the last one.',
    (b) => {
      const pointer = memory(() => ({ last: null as string | null }))
      const { stores } = b.conversation
      b.conversation.stores = (item, items) => {
        pointer(items).last = idOf(item)
        return stores(item, items)
      }
      pointing(b, pointer)
    },
  ],
  'item-create.duplicate-id-keeps-item': [
    'An item that is refused as known is replaced.',
    ({ conversation }) => {
      conversation.onRefused = (item, items) => {
        const index = items.findIndex((one) => one['id'] === item['id'])
        if (index >= 0) items[index] = { ...item, status: 'completed' }
      }
    },
  ],
})

/** Items of the client are whole when they are confirmed; those of a response are still in progress. */
function isOwnItem(event: Wire): boolean {
  return wireAt(event, 'item')['status'] !== 'in_progress'
}

const createdDefects = defectsOf('control-channel', {
  'item-created.previous-item-id-nullable': [
    'Without an item before it the field is left out.',
    (b) =>
      onEvent(
        b,
        CREATED,
        change('previous_item_id', (id) => id ?? undefined),
      ),
  ],
  'item-created.item-object': [
    'An item is confirmed by its id.',
    (b) =>
      onEvent(
        b,
        CREATED,
        change('item', (item) => (item as Wire | undefined)?.['id']),
      ),
  ],
  'item-created.previous-item-known': [
    'An appended item follows one that nobody knows.',
    (b) => {
      let count = 0
      onEvent(
        b,
        CREATED,
        change('previous_item_id', (id) => (id === null ? null : `item_hidden_${(count += 1)}`)),
      )
    },
  ],
  'item-created.for-generated-output': [
    'Output is not announced.',
    ({ conversation }) => void (conversation.announces = () => false),
  ],
  'item-created.once': [
    'Output is announced twice.',
    (b) => splitEvent(b, CREATED, (event) => (isOwnItem(event) ? [event] : [event, again(event)])),
  ],
})

const retrieveDefects = defectsOf('control-channel', {
  'item-retrieve.answered': ['A known item is retrieved in silence.', (b) => mute(b, RETRIEVED)],
  'item-retrieve.right-item': [
    'The last item is retrieved, whatever was asked.',
    ({ conversation }) => {
      const { find } = conversation
      conversation.find = (items, id) =>
        find(items, id) === undefined ? undefined : items.at(items.length > 1 && items.at(-1)?.['id'] === id ? 0 : -1)
    },
  ],
  'item-retrieve.content': [
    'An item is retrieved without content.',
    (b) =>
      onEvent(
        b,
        RETRIEVED,
        change('item.content', (content) => (Array.isArray(content) ? [] : content)),
      ),
  ],
  'item-retrieve.once': ['An item is retrieved twice.', (b) => twice(b, RETRIEVED)],
  'item-retrieve.unknown-not-retrieved': [
    'An unknown item is retrieved as an empty one.',
    ({ conversation, rules }) => {
      waive(rules.itemRetrieve, 'item-unknown')
      const { find } = conversation
      conversation.find = (items, id) =>
        find(items, id) ?? { id, type: 'message', role: 'user', content: [], status: 'incomplete' }
    },
  ],
  'item-retrieve.item-id-missing-rejected': [
    'Without an id the last item is retrieved.',
    ({ conversation, rules }) => {
      waive(rules.itemRetrieve, 'item-id-missing')
      const { find } = conversation
      conversation.find = (items, id) => (id === undefined ? items.at(-1) : find(items, id))
    },
  ],
  'item-retrieve.generated-item': [
    'Output cannot be retrieved.',
    ({ conversation }) => {
      const { kept } = conversation
      conversation.kept = (item, plan) => ({ ...kept(item, plan), id: `hidden_${String(item['id'])}` })
    },
  ],
  'item-retrieve.changes-nothing': [
    'An item can be retrieved once.',
    ({ conversation }) => {
      const { find } = conversation
      conversation.find = (items, id) => {
        const found = find(items, id)
        if (found !== undefined) items.splice(items.indexOf(found), 1)
        return found
      }
    },
  ],
  'item-retrieved.item-object': [
    'A retrieved item stands beside the type.',
    (b) =>
      onEvent(b, RETRIEVED, ({ item, type, event_id: id }) => ({
        ...Object(item),
        item_type: Object(item).type,
        type,
        event_id: id,
      })),
  ],
})

const deleteDefects = defectsOf('control-channel', {
  'item-delete.answered': ['A known item is deleted in silence.', (b) => mute(b, DELETED)],
  'item-delete.gone': ['A deleted item stays.', ({ conversation }) => void (conversation.remove = () => undefined)],
  'item-delete.others-kept': [
    'A deletion takes the rest of the conversation with it.',
    ({ conversation }) => {
      conversation.remove = (items, id) => {
        const index = items.findIndex((item) => item['id'] === id)
        if (index >= 0) items.splice(index)
      }
    },
  ],
  'item-delete.unknown-changes-nothing': [
    'A refused deletion takes the last item.',
    ({ conversation }) => {
      conversation.onRefusedDelete = (items) => void items.pop()
    },
  ],
  'item-delete.item-id-missing-rejected': [
    'Without an id nothing is deleted.',
    ({ rules }) => waive(rules.itemDelete, 'item-id-missing'),
  ],
  'item-delete.last-item-moves': [
    'A deleted item still counts as the last one.',
    (b) => {
      const pointer = memory(() => ({ last: null as string | null }))
      const { stores, remove } = b.conversation
      b.conversation.stores = (item, items) => {
        pointer(items).last = null
        return stores(item, items)
      }
      b.conversation.remove = (items, id) => {
        if (items.at(-1)?.['id'] === id) pointer(items).last = textOf(id) ?? null
        remove(items, id)
      }
      pointing(b, pointer)
    },
  ],
  'item-delete.once': ['A deletion is confirmed twice.', (b) => twice(b, DELETED)],
  'item-deleted.item-id': ['A deletion names no item.', (b) => onEvent(b, DELETED, drop('item_id'))],
  'item-deleted.item-id~other': [
    'A deletion names another item.',
    (b) => onEvent(b, DELETED, put('item_id', 'item_0')),
  ],
})

export const conversationDefects = [...createDefects, ...createdDefects, ...retrieveDefects, ...deleteDefects]
