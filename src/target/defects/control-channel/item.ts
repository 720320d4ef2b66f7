import { notJson } from '#target/behaviour/validations/faults'
import type { Override } from '#target/behaviour/behaviour'
import { change, omit, put } from '#target/overrides/changes'
import { onEvent, onItems } from '#target/overrides/events'
import { around } from '#target/overrides/operators'
import { isWire, textOf, type JsonObject } from '#target/wire'
import { DELETED, parts, RETRIEVED } from '../tools/control-channel.ts'
import { defectsOf } from '../tools/table.ts'

const onPart = (type: string, make: (part: JsonObject) => unknown): Override =>
  onItems(change('content.*', (part) => (isWire(part) && part['type'] === type ? make(part) : part)))

const onType = (type: string, make: (item: JsonObject) => JsonObject): Override =>
  onItems((item) => (item['type'] === type ? make(item) : item))

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return {}
  }
}

export const itemRetrievedDefects = defectsOf('control-channel.item-retrieved', {
  'item-object: A retrieved item stands beside the type.': onEvent(RETRIEVED, ({ item, type, event_id: id }) => ({
    ...Object(item),
    item_type: Object(item).type,
    type,
    event_id: id,
  })),
})

export const itemDeletedDefects = defectsOf('control-channel.item-deleted', {
  'item-id: A deletion names no item.': onEvent(DELETED, omit('item_id')),
  'item-id~other: A deletion names another item.': onEvent(DELETED, put('item_id', 'item_0')),
})

export const itemDefects = defectsOf('control-channel.item', {
  'id-nonempty: Items are shown without id.': onItems(omit('id')),
  'id-unique: Items to which the service gives an id share it.': around(
    'conversation.stored',
    (stored) => (item, id) => stored(item, item['id'] === undefined ? 'item_1' : id),
  ),
  'type-in-set: A message is shown as `text_message`.': onType('message', put('type', 'text_message')),
  'status-in-set: A finished item is shown as `done`.': onItems(
    change('status', (status) => (status === 'completed' ? 'done' : status)),
  ),
  'message-role-in-set: The assistant is shown as `model`.': onItems(
    change('role', (role) => (role === 'assistant' ? 'model' : role)),
  ),
  'message-content-array: Content is shown as a string.': onType('message', (item) => ({
    ...item,
    content: parts(item)
      .map((part) => textOf(part['text']) ?? '')
      .join(''),
  })),
  'part-type-in-set: Parts of the assistant are `output_text`.': onPart('text', put('type', 'output_text')),
  'part-text-string: Text is shown as an object.': onPart(
    'text',
    change('text', (value) => ({ value })),
  ),
  'part-text-string~input: The text of the user is not shown.': onPart('input_text', omit('text')),
  'part-audio-base64: Audio is shown as a data URL.': onPart(
    'input_audio',
    change('audio', (audio) => `data:audio/wav;base64,${String(audio)}`),
  ),
  'part-transcript-string: Without a transcript it is null.': onPart(
    'input_audio',
    change('transcript', (transcript) => transcript ?? null),
  ),
  'part-image-url-string: An image is shown as an object.': onPart(
    'input_image',
    change('image_url', (url) => ({ url })),
  ),
  'part-detail-in-set: Without a detail it is `medium`.': onPart('input_image', put('detail', 'medium')),
  'function-call-call-id-string: A call id is shown as a number.': onType('function_call', put('call_id', 7)),
  'function-call-name-string: A call shows its name inside `function`.': onType(
    'function_call',
    ({ name, ...item }) => ({ ...item, function: { name } }),
  ),
  'function-call-arguments-json: Arguments are shown as an object.': onType(
    'function_call',
    change('arguments', (text) => parsed(text)),
  ),
  'function-call-output-call-id-string: An output shows no call id.': onType('function_call_output', omit('call_id')),
  'function-call-output-output-string~json: An output that is JSON is shown as what it says.': onType(
    'function_call_output',
    change('output', (text) => (typeof text === 'string' && !notJson(text) ? JSON.parse(text) : text)),
  ),
  'function-call-output-output-string: An output is shown as an object.': onType(
    'function_call_output',
    change('output', (text) => ({ text })),
  ),
})
