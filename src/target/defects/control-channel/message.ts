import type { Behaviour } from '#target/behaviour/behaviour'
import type { FrameFaultId } from '#target/behaviour/frames'
import { validation } from '#target/behaviour/validations/input-validation'
import { add, around, set } from '#target/overrides/operators'
import { textOf, type JsonObject, objectAt, objectsAt } from '#target/wire'
import { faulty } from '../tools/control-channel.ts'
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
  'unknown-type-rejected: Unknown types are ignored.': [
    set('frames.type-unknown.quiet', true),
    set('frames.type-server.broken', ({ event }) =>
      /^(?:response\.(?:created|done|output|render)|session\.(?:updated|closed)|error$)/u.test(
        textOf(event?.['type']) ?? '',
      ),
    ),
  ],
  'server-type-rejected: Types of server events are ignored.': [
    set('frames.type-server.broken', ({ event }) =>
      /(?:created|updated|added|done|deleted|retrieved|closed|started|stopped|delta|completed|failed|error)$/u.test(
        textOf(event?.['type']) ?? '',
      ),
    ),
    set('frames.type-server.quiet', true),
  ],
  'invalid-json-rejected: Messages that are no JSON are ignored.': silent('not-json'),
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
  'event-id-optional: An event needs an id.': faulty((event) => event['event_id'] === undefined),
})
