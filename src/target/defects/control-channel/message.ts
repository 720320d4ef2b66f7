import type { Behaviour, Override } from '#target/behaviour/behaviour'
import type { FrameFaultId } from '#target/behaviour/frames'
import { validation } from '#target/behaviour/validations/input-validation'
import { withhold } from '#target/overrides/events'
import { add, around, set } from '#target/overrides/operators'
import { textOf, type JsonObject, objectAt, objectsAt } from '#target/wire'
import { faulty } from '../tools/control-channel.ts'
import { isInVideo } from '../tools/modes.ts'
import { onceReturned } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

/** Passes a fault over in silence. */
const silent =
  (id: FrameFaultId) =>
  ({ frames }: Behaviour): void =>
    void (frames[id].quiet = true)

const KNOWN: Record<string, string[]> = {
  'session.update': ['type', 'event_id', 'session'],
  'asset.add': ['type', 'event_id', 'assets'],
  'avatar.add': ['type', 'event_id', 'avatars'],
  'conversation.item.create': ['type', 'event_id', 'previous_item_id', 'item'],
  'conversation.item.retrieve': ['type', 'event_id', 'item_id'],
  'conversation.item.delete': ['type', 'event_id', 'item_id'],
  'response.create': ['type', 'event_id', 'response'],
  'response.cancel': ['type', 'event_id'],
}

const hasUnknown = (event: JsonObject | undefined): boolean => {
  const known = KNOWN[textOf(event?.['type']) ?? '']
  return known !== undefined && Object.keys(event ?? {}).some((key) => !known.includes(key))
}

/** The types of which a mistake may be, apart from those of the plainest tests. */
const OTHER_TYPES = Object.keys(KNOWN).filter((type) => type !== 'session.update')

const named = (type: string): string => type.replaceAll('.', '-')

const itself = (event: JsonObject, type: string): boolean => event['type'] === type

const responseOf = (event: JsonObject): JsonObject => objectAt(event, 'response')

const vocalIn = (event: JsonObject, type: string): JsonObject[] =>
  [objectAt(objectAt(responseOf(event), 'script'), 'vocal')].filter((vocal) => vocal['type'] === type)

const visualsIn = (event: JsonObject): JsonObject[] => objectsAt(event, 'avatars').map((one) => objectAt(one, 'visual'))

const itemsIn = (event: JsonObject, type: string): JsonObject[] =>
  [objectAt(event, 'item')].filter((item) => item['type'] === type)

const partsIn = (items: JsonObject[], type: string): JsonObject[] =>
  items.flatMap((item) => objectsAt(item, 'content')).filter((part) => part['type'] === type)

const inputOf = (event: JsonObject): JsonObject[] => objectsAt(responseOf(event), 'input')

const ITEM_FIELDS = 'id type status role content call_id name arguments output'

/** Objects inside an event of which a service may be too strict, and the fields that they have. */
const PLACES: readonly (readonly [
  word: string,
  what: string,
  objects: (event: JsonObject) => JsonObject[],
  fields: string,
])[] = [
  [
    'script-visual',
    'script.visual',
    (event) => [objectAt(objectAt(responseOf(event), 'script'), 'visual')],
    'prompt visual_prompt_asset_id duration_ms',
  ],
  ['speech-asset', 'a vocal that names a text', (event) => vocalIn(event, 'speech_asset'), 'type speech_text_asset_id'],
  ['audio', 'a vocal of audio', (event) => vocalIn(event, 'audio'), 'type mime_type url audio'],
  ['audio-asset', 'a vocal that names audio', (event) => vocalIn(event, 'audio_asset'), 'type audio_asset_id'],
  ['visual', 'the visual of an avatar', visualsIn, 'source_images default_source_image_id instructions'],
  [
    'source-image',
    'a source image',
    (event) => visualsIn(event).flatMap((visual) => objectsAt(visual, 'source_images')),
    'source_image_id url description media_type',
  ],
  [
    'voice',
    'the voice of an avatar',
    (event) => objectsAt(event, 'avatars').map((one) => objectAt(one, 'voice')),
    'provider provider_voice_id model speed',
  ],
  [
    'reference',
    'a reference in the input',
    (event) => inputOf(event).filter((item) => item['type'] === 'item_reference'),
    'type id',
  ],
  [
    'input-item',
    'an item in the input',
    (event) => inputOf(event).filter((item) => item['type'] !== 'item_reference'),
    ITEM_FIELDS,
  ],
  ['input-part', 'a part of an item in the input', (event) => partsIn(inputOf(event), 'input_text'), 'type text'],
  ['tool', 'a tool', (event) => objectsAt(responseOf(event), 'tools'), 'type name description parameters'],
  ['call', 'a function call', (event) => itemsIn(event, 'function_call'), ITEM_FIELDS],
  ['call-output', 'the output of a function', (event) => itemsIn(event, 'function_call_output'), ITEM_FIELDS],
  [
    'image-part',
    'an image in a message',
    (event) => partsIn(itemsIn(event, 'message'), 'input_image'),
    'type image_url detail',
  ],
  [
    'audio-part',
    'audio in a message',
    (event) => partsIn(itemsIn(event, 'message'), 'input_audio'),
    'type audio transcript',
  ],
  ['image-asset', 'an image', (event) => objectsAt(objectAt(event, 'assets'), 'images'), 'asset_id url mime_type'],
  [
    'audio-asset-add',
    'audio that is added',
    (event) => objectsAt(objectAt(event, 'assets'), 'audio'),
    'asset_id url mime_type',
  ],
  [
    'visual-prompt',
    'a visual prompt',
    (event) => objectsAt(objectAt(event, 'assets'), 'visual_prompts'),
    'asset_id text format',
  ],
]

const tooStrict = PLACES.map(([word, what, objects, fields]): [`${string}: ${string}`, Override] => [
  `unknown-nested-field-ignored~${word}: An unknown field of ${what} is refused.`,
  faulty((event) => objects(event).some((one) => Object.keys(one).some((name) => !fields.split(' ').includes(name)))),
])

const NESTED: Record<string, string[]> = {
  session: ['mode', 'active_avatar_id', 'source_image_id'],
  item: ['id', 'type', 'status', 'role', 'content', 'call_id', 'name', 'arguments', 'output'],
  response: ['conversation', 'scheduling_policy', 'input', 'instructions', 'max_output_tokens', 'tools', 'script'],
}

const hasUnknownInside = (event: JsonObject): boolean =>
  Object.entries(NESTED).some(([key, known]) =>
    Object.keys(objectAt(event, key)).some((inner) => !known.includes(inner)),
  )

const ADDED = [
  'asset_id',
  'url',
  'mime_type',
  'text',
  'format',
  'prompt',
  'avatar_id',
  'instructions',
  'voice',
  'visual',
]

const hasUnknownAdded = (event: JsonObject): boolean => {
  const assets = objectAt(event, 'assets')
  const added = [...Object.keys(assets).flatMap((kind) => objectsAt(assets, kind)), ...objectsAt(event, 'avatars')]
  return added.some((one) => Object.keys(one).some((key) => !ADDED.includes(key)))
}

const VOCAL_FIELDS = ['type', 'text', 'speech_text_asset_id', 'mime_type', 'url', 'audio', 'audio_asset_id']

export const messageDefects = defectsOf('control-channel.message', {
  'server-json-object: Events come as JSON text inside JSON.': around(
    'channel.encode',
    (encode) => (event) =>
      String(event['type']).startsWith('conversation.item.') ? JSON.stringify(encode(event)) : encode(event),
  ),
  'server-json-object~binary: Confirmations come in binary frames.': set(
    'channel.sendsBinary',
    (event) => event['type'] === 'conversation.item.created',
  ),
  'missing-type-rejected: A message without type is ignored.': silent('type-missing'),
  'type-not-string-rejected: A type that is no string is ignored.': silent('type-not-string'),
  'type-not-string-rejected~null: A type of null is ignored.': around(
    'frames.type-not-string.broken',
    (broken) => (frame) => broken(frame) && frame.event?.['type'] !== null,
  ),
  'unknown-type-rejected: Unknown types are ignored.': [
    set('frames.type-unknown.quiet', true),
    set('frames.type-server.broken', ({ event }) =>
      /^(?:response\.(?:created|done|output|render)|session\.(?:updated|closed)|error$)/u.test(
        textOf(event?.['type']) ?? '',
      ),
    ),
  ],
  'unknown-type-rejected~audio: Unknown types about audio are ignored.': around(
    'frames.type-unknown.broken',
    (broken) => (frame) => broken(frame) && textOf(frame.event?.['type'])?.startsWith('input_audio') !== true,
  ),
  'unknown-type-rejected~busy: While a response is active, unknown types are ignored.': withhold(
    'error',
    (event, session) => session.response !== undefined && objectAt(event, 'error')['code'] === 'unknown_event',
  ),
  'unknown-type-rejected~video: In video unknown types are ignored.': withhold(
    'error',
    (event, session) => isInVideo(session) && objectAt(event, 'error')['code'] === 'unknown_event',
  ),
  'unknown-type-rejected~reconnect: After a reconnect unknown types are ignored.': onceReturned((returned) => [
    withhold('error', (event, session) => returned(session) && objectAt(event, 'error')['code'] === 'unknown_event'),
  ]),
  'server-type-rejected: Types of server events are ignored.': [
    set('frames.type-server.broken', ({ event }) =>
      /(?:created|updated|added|done|deleted|retrieved|closed|started|stopped|delta|completed|failed|error)$/u.test(
        textOf(event?.['type']) ?? '',
      ),
    ),
    set('frames.type-server.quiet', true),
  ],
  'invalid-json-rejected: Messages that are no JSON are ignored.': silent('not-json'),
  'invalid-json-rejected~busy: While a response is active, messages that are no JSON are ignored.': withhold(
    'error',
    (event, session) => session.response !== undefined && objectAt(event, 'error')['code'] === 'invalid_json',
  ),
  'not-an-object-rejected: Messages that are no object are ignored.': silent('not-object'),
  'unknown-field-ignored: Unknown fields of an event are refused.': faulty(hasUnknown),
  'unknown-nested-field-ignored: Unknown fields inside an event are refused.': faulty(hasUnknownInside),
  'unknown-nested-field-ignored~vocal: An unknown field in script.vocal is refused.': add(
    'validations.responseCreate',
    'vocal-field-unknown',
    validation('4.4', 'response.script.vocal', ({ response }) =>
      Object.keys(objectAt(objectAt(response, 'script'), 'vocal')).some((key) => !VOCAL_FIELDS.includes(key)),
    ),
  ),
  'unknown-nested-field-ignored~addition: An unknown field of an asset or an avatar is refused.':
    faulty(hasUnknownAdded),
  ...Object.fromEntries(tooStrict),
  ...Object.fromEntries(
    OTHER_TYPES.map((type) => [
      `unknown-field-ignored~${named(type)}: Unknown fields of ${type} are refused.`,
      faulty((event) => itself(event, type) && hasUnknown(event)),
    ]),
  ),
  'event-id-optional: An event needs an id.': faulty((event) => event['event_id'] === undefined),
  ...Object.fromEntries(
    OTHER_TYPES.map((type) => [
      `event-id-optional~${named(type)}: ${type} needs an id.`,
      faulty((event) => itself(event, type) && event['event_id'] === undefined),
    ]),
  ),
})
