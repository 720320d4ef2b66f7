import { type JsonObject, objectsAt } from '#target/wire'
import { empty, missing, notArray, notBase64, notJson, notObject, notObjects, notOneOf, notString } from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

/** Conversation items of `conversation.item.create` or of a response's `input`. */
export interface ItemsInput extends ValidationInput {
  items: JsonObject[]
}

export const ITEM_TYPES = ['message', 'function_call', 'function_call_output'] as const
const ROLES = ['system', 'user', 'assistant'] as const
const PARTS = ['input_text', 'input_audio', 'input_image', 'text'] as const

const item = (param: string, broken: (item: JsonObject) => boolean) =>
  validation('2.9', `item.${param}`, (input: ItemsInput) => input.items.some(broken))
const ofType = (type: string, param: string, broken: (item: JsonObject) => boolean) =>
  item(param, (one) => one['type'] === type && broken(one))
const part = (param: string, broken: (part: JsonObject) => boolean) =>
  ofType('message', `content.${param}`, (one) => objectsAt(one, 'content').some(broken))
const ofPart = (types: string[], param: string, broken: (part: JsonObject) => boolean) =>
  part(param, (one) => types.includes(String(one['type'])) && broken(one))

/** 2.9 Conversation item. */
export const itemValidations = () => ({
  'item-id-not-string': item('id', (one) => notString(one['id'])),
  'item-id-empty': item('id', (one) => empty(one['id'])),
  'item-type-missing': item('type', (one) => missing(one['type'])),
  'item-type-unknown': item('type', (one) => notString(one['type']) || notOneOf(one['type'], ITEM_TYPES)),
  'item-status-unknown': item(
    'status',
    (one) => notString(one['status']) || notOneOf(one['status'], ['completed', 'incomplete', 'in_progress']),
  ),
  'role-missing': ofType('message', 'role', (one) => missing(one['role'])),
  'role-unknown': ofType('message', 'role', (one) => notString(one['role']) || notOneOf(one['role'], ROLES)),
  'content-missing': ofType('message', 'content', (one) => missing(one['content'])),
  'content-not-array': ofType('message', 'content', (one) => notArray(one['content'])),
  'content-not-objects': ofType('message', 'content', (one) => notObjects(one['content'])),
  'part-type-missing': part('type', (one) => missing(one['type'])),
  'part-type-unknown': part('type', (one) => notString(one['type']) || notOneOf(one['type'], PARTS)),
  'part-text-missing': ofPart(['input_text', 'text'], 'text', (one) => missing(one['text'])),
  'part-text-not-string': ofPart(['input_text', 'text'], 'text', (one) => notString(one['text'])),
  'part-audio-not-string': ofPart(['input_audio'], 'audio', (one) => notString(one['audio'])),
  'part-audio-not-base64': ofPart(['input_audio'], 'audio', (one) => notBase64(one['audio'])),
  'part-transcript-not-string': ofPart(['input_audio'], 'transcript', (one) => notString(one['transcript'])),
  'part-image-missing': ofPart(['input_image'], 'image_url', (one) => missing(one['image_url'])),
  'part-image-not-string': ofPart(['input_image'], 'image_url', (one) => notString(one['image_url'])),
  'part-detail-unknown': ofPart(
    ['input_image'],
    'detail',
    (one) => notString(one['detail']) || notOneOf(one['detail'], ['auto', 'low', 'high']),
  ),
  'call-name-missing': ofType('function_call', 'name', (one) => missing(one['name'])),
  'call-name-not-string': ofType('function_call', 'name', (one) => notString(one['name'])),
  'call-id-not-string': ofType('function_call', 'call_id', (one) => notString(one['call_id'])),
  'call-arguments-missing': ofType('function_call', 'arguments', (one) => missing(one['arguments'])),
  'call-arguments-not-string': ofType('function_call', 'arguments', (one) => notString(one['arguments'])),
  'call-arguments-not-json': ofType('function_call', 'arguments', (one) => notJson(one['arguments'])),
  'output-call-id-missing': ofType('function_call_output', 'call_id', (one) => missing(one['call_id'])),
  'output-call-id-not-string': ofType('function_call_output', 'call_id', (one) => notString(one['call_id'])),
  'output-missing': ofType('function_call_output', 'output', (one) => missing(one['output'])),
  'output-not-string': ofType('function_call_output', 'output', (one) => notString(one['output'])),
})

/** What `conversation.item.create`, `.retrieve` and `.delete` look at. */
export interface ConversationEventInput extends ItemsInput {
  event: JsonObject
  /** The conversation as it is. */
  stored: JsonObject[]
}

const has = (input: ConversationEventInput, id: unknown): boolean => input.stored.some((one) => one['id'] === id)

/** 4.4 `conversation.item.create`. */
export const itemCreateValidations = () => ({
  'item-missing': validation('4.4', 'item', (input: ConversationEventInput) => missing(input.event['item'])),
  'item-not-object': validation('4.4', 'item', (input: ConversationEventInput) => notObject(input.event['item'])),
  'item-id-taken': validation('4.4', 'item.id', (input: ConversationEventInput) =>
    input.items.some((one) => typeof one['id'] === 'string' && has(input, one['id'])),
  ),
  'previous-not-string': validation(
    '4.4',
    'previous_item_id',
    (input: ConversationEventInput) =>
      input.event['previous_item_id'] !== null && notString(input.event['previous_item_id']),
  ),
  'previous-unknown': validation('4.4', 'previous_item_id', (input: ConversationEventInput) => {
    const previous = input.event['previous_item_id']
    return typeof previous === 'string' && previous !== 'root' && !has(input, previous)
  }),
})

/** 4.4 `conversation.item.retrieve` and `conversation.item.delete`. */
export const itemNamedValidations = () => ({
  'item-id-missing': validation('4.4', 'item_id', (input: ConversationEventInput) => missing(input.event['item_id'])),
  'item-id-not-string': validation('4.4', 'item_id', (input: ConversationEventInput) =>
    notString(input.event['item_id']),
  ),
  'item-unknown': validation('4.4', 'item_id', (input: ConversationEventInput) => {
    const id = input.event['item_id']
    return typeof id === 'string' && !has(input, id)
  }),
})
