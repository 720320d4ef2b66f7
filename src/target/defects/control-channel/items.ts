import type { Behaviour } from '#target/behaviour/behaviour'
import type { ItemsInput } from '#target/behaviour/rules/items'
import { waive } from '#target/behaviour/rules/waive'
import { isWire, textOf, type Wire, wiresAt } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onItems, refuseEvent } from '../tools.ts'

const parts = (item: Wire): Wire[] => wiresAt(item, 'content')
const onPart = (b: Behaviour, type: string, make: (part: Wire) => unknown): void =>
  onItems(
    b,
    change('content.*', (part) => (isWire(part) && part['type'] === type ? make(part) : part)),
  )
const onType = (b: Behaviour, type: string, make: (item: Wire) => Wire): void =>
  onItems(b, (item) => (item['type'] === type ? make(item) : item))

const shapeDefects = defectsOf('control-channel', {
  'item.id-nonempty': ['Items are shown without id.', (b) => onItems(b, drop('id'))],
  'item.id-unique': [
    'Items to which the service gives an id share it.',
    ({ conversation }) => {
      const { stored } = conversation
      conversation.stored = (item, id) => stored(item, item['id'] === undefined ? 'item_1' : id)
    },
  ],
  'item.type-in-set': [
    'A message is shown as `text_message`.',
    (b) => onType(b, 'message', put('type', 'text_message')),
  ],
  'item.status-in-set': [
    'A finished item is shown as `done`.',
    (b) =>
      onItems(
        b,
        change('status', (status) => (status === 'completed' ? 'done' : status)),
      ),
  ],
  'item.message-role-in-set': [
    'The assistant is shown as `model`.',
    (b) =>
      onItems(
        b,
        change('role', (role) => (role === 'assistant' ? 'model' : role)),
      ),
  ],
  'item.message-content-array': [
    'Content is shown as a string.',
    (b) =>
      onType(b, 'message', (item) => ({
        ...item,
        content: parts(item)
          .map((part) => textOf(part['text']) ?? '')
          .join(''),
      })),
  ],
  'item.part-type-in-set': [
    'Parts of the assistant are `output_text`.',
    (b) => onPart(b, 'text', put('type', 'output_text')),
  ],
  'item.part-text-string': [
    'Text is shown as an object.',
    (b) =>
      onPart(
        b,
        'text',
        change('text', (value) => ({ value })),
      ),
  ],
  'item.part-text-string~input': ['The text of the user is not shown.', (b) => onPart(b, 'input_text', drop('text'))],
  'item.part-audio-base64': [
    'Audio is shown as a data URL.',
    (b) =>
      onPart(
        b,
        'input_audio',
        change('audio', (audio) => `data:audio/wav;base64,${String(audio)}`),
      ),
  ],
  'item.part-transcript-string': [
    'Without a transcript it is null.',
    (b) =>
      onPart(
        b,
        'input_audio',
        change('transcript', (transcript) => transcript ?? null),
      ),
  ],
  'item.part-image-url-string': [
    'An image is shown as an object.',
    (b) =>
      onPart(
        b,
        'input_image',
        change('image_url', (url) => ({ url })),
      ),
  ],
  'item.part-detail-in-set': [
    'Without a detail it is `medium`.',
    (b) => onPart(b, 'input_image', put('detail', 'medium')),
  ],
  'item.function-call-call-id-string': [
    'A call id is shown as a number.',
    (b) => onType(b, 'function_call', put('call_id', 7)),
  ],
  'item.function-call-name-string': [
    'A call shows its name inside `function`.',
    (b) => onType(b, 'function_call', ({ name, ...item }) => ({ ...item, function: { name } })),
  ],
  'item.function-call-arguments-json': [
    'Arguments are shown as an object.',
    (b) =>
      onType(
        b,
        'function_call',
        change('arguments', (text) => parsed(text)),
      ),
  ],
  'item.function-call-output-call-id-string': [
    'An output shows no call id.',
    (b) => onType(b, 'function_call_output', drop('call_id')),
  ],
  'item.function-call-output-output-string': [
    'An output is shown as an object.',
    (b) =>
      onType(
        b,
        'function_call_output',
        change('output', (text) => ({ text })),
      ),
  ],
})

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return {}
  }
}

const refuse = (b: Behaviour, broken: (item: Wire) => boolean): void =>
  refuseEvent(b.rules.items, (input: ItemsInput) => input.items.some(broken))
const hasPart = (item: Wire, fits: (part: Wire) => boolean): boolean => parts(item).some(fits)

const acceptDefects = defectsOf('control-channel', {
  'item-create.user-text-accepted': [
    'A user may not write.',
    (b) => refuse(b, (item) => item['role'] === 'user' && hasPart(item, ({ type }) => type === 'input_text')),
  ],
  'item-create.system-text-accepted': ['The system may not write.', (b) => refuse(b, ({ role }) => role === 'system')],
  'item-create.assistant-text-accepted': [
    'Nobody may write for the assistant.',
    (b) => refuse(b, ({ role }) => role === 'assistant'),
  ],
  'item-create.several-parts-accepted': [
    'Parts come back in another order.',
    ({ conversation }) => {
      const { stored } = conversation
      conversation.stored = (item, id) =>
        change('content', (content) => (Array.isArray(content) ? content.toReversed() : content))(stored(item, id))
    },
  ],
  'item-create.several-parts-accepted~refused': [
    'A message has one part.',
    (b) => refuse(b, (item) => parts(item).length > 1),
  ],
  'item-create.input-audio-accepted': [
    'Audio is refused.',
    (b) => refuse(b, (item) => hasPart(item, ({ type }) => type === 'input_audio')),
  ],
  'item-create.input-image-accepted': [
    'Images are refused.',
    (b) => refuse(b, (item) => hasPart(item, ({ type, detail }) => type === 'input_image' && detail === undefined)),
  ],
  'item-create.image-detail-accepted': [
    'A detail of `low` is refused.',
    (b) => refuse(b, (item) => hasPart(item, ({ detail }) => detail === 'low')),
  ],
  'item-create.function-call-accepted': [
    'Function calls are refused.',
    (b) => refuse(b, ({ type, call_id: id }) => type === 'function_call' && id !== undefined),
  ],
  'item-create.function-call-without-call-id-accepted': [
    'A function call needs a call id.',
    (b) => refuse(b, ({ type, call_id: id }) => type === 'function_call' && id === undefined),
  ],
  'item-create.function-call-output-accepted': [
    'Function call outputs are refused.',
    (b) => refuse(b, ({ type }) => type === 'function_call_output'),
  ],
})

const rejectDefects = defectsOf('control-channel', {
  'item-create.image-detail-unknown-rejected': [
    'Any detail is accepted.',
    ({ rules }) => waive(rules.items, 'part-detail-unknown'),
  ],
  'item-create.unknown-type-rejected': [
    'Any type is accepted.',
    ({ rules }) => waive(rules.items, 'item-type-unknown'),
  ],
  'item-create.type-missing-rejected': [
    'An item needs no type.',
    ({ rules }) => waive(rules.items, 'item-type-missing'),
  ],
  'item-create.unknown-role-rejected': ['Any role is accepted.', ({ rules }) => waive(rules.items, 'role-unknown')],
  'item-create.unknown-part-type-rejected': [
    'Any part is accepted.',
    ({ rules }) => waive(rules.items, 'part-type-unknown'),
  ],
  'item-create.unknown-status-rejected': [
    'Any status is accepted.',
    ({ rules }) => waive(rules.items, 'item-status-unknown'),
  ],
  'item-create.function-call-name-missing-rejected': [
    'A call needs no name.',
    ({ rules }) => waive(rules.items, 'call-name-missing'),
  ],
  'item-create.function-call-arguments-missing-rejected': [
    'A call needs no arguments.',
    ({ rules }) => waive(rules.items, 'call-arguments-missing'),
  ],
  'item-create.function-call-arguments-object-rejected': [
    'Arguments may be an object.',
    ({ rules }) => waive(rules.items, 'call-arguments-not-string'),
  ],
  'item-create.function-call-output-call-id-missing-rejected': [
    'An output needs no call id.',
    ({ rules }) => waive(rules.items, 'output-call-id-missing'),
  ],
  'item-create.function-call-output-output-missing-rejected': [
    'An output may be missing.',
    ({ rules }) => waive(rules.items, 'output-missing'),
  ],
  'item-create.item-missing-rejected': [
    'Without an item an empty one is made.',
    ({ rules }) => {
      waive(rules.itemCreate, 'item-missing')
      waive(rules.items, 'item-type-missing')
    },
  ],
})

export const itemDefects = [...shapeDefects, ...acceptDefects, ...rejectDefects]
