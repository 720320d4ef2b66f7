import { set, around, append, several, remembering } from '#target/overrides/operators'
import type { Variation } from '../deviation.ts'
import { isWire, type JsonObject, objectAt, objectsAt, without } from '../wire.ts'
import { variationsOf } from './table.ts'

/** Under these the caller's own JSON stands; nothing may be added to it. */
const CALLERS_OWN = ['parameters', 'tools', 'payload', 'metadata']
/** Integers of responses that may be 64-bit; `output_index` and `speed` are numbers and stay. */
const INTEGERS = [
  'fps',
  'disconnected_timeout_seconds',
  'interaction_idle_timeout_seconds',
  'silence_duration_ms',
  'audio_start_ms',
  'audio_end_ms',
  'content_index',
  'created_at_ms',
  'media_time_ms',
  'last_sequence',
  'generated_video_ms',
  'generated_audio_ms',
  'max_idle_ms',
  'max_event_bytes',
  'max_references',
  'max_reference_images',
  'size_bytes',
]

/** Applies `change` to every object inside a value, the caller's own JSON left alone. */
export function deeply(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((member) => deeply(member, change))
  if (!isWire(value)) return value
  const inner = Object.entries(value).map(([key, member]) => [
    key,
    CALLERS_OWN.includes(key) ? member : deeply(member, change),
  ])
  return change(Object.fromEntries(inner))
}

const deepWire = (value: JsonObject, change: (object: JsonObject) => JsonObject): JsonObject => {
  const changed = deeply(value, change)
  return isWire(changed) ? changed : value
}

const addUnknown = (object: JsonObject): JsonObject => ({
  ...object,
  added_later: { in: 'version 1.1', flags: [1, null] },
})
export const integersAsStrings = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      INTEGERS.includes(key) && Number.isInteger(value) ? String(value) : value,
    ]),
  )

const inSinglePrecision = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, typeof value === 'number' ? Math.fround(value) : value]),
  )

const fractional = /^create-(?:avatar-session|session-from-character|character)$|^(?:get|replace)-character$/u

/** 9.3: "new fields and new event types may appear over time"; 64-bit integers and optional fields. */
const generalVariations = variationsOf({
  'extra-fields §9: Unknown fields appear in every object of answers and events.': several(
    around('http.success', (success) => (data, operation) => ({ ...success(data, operation), request_id: 'req_1' })),
    around('http.failure', (failure) => (code, message, operation) => ({
      ...failure(code, message, operation),
      request_id: 'req_1',
    })),
    append('http.data', (data) => deeply(data, addUnknown)),
    append('outgoing', (event) => [deepWire(event, addUnknown)]),
  ),
  'unknown-events §6: Events of unknown types come between the others.': remembering(() => {
    let count = 0
    return append('outgoing', (event) => {
      count += 1
      // Every object of JavaScript has a member of the second name.
      const type = count % 2 === 0 ? 'service.telemetry' : 'constructor'
      return [{ type, event_id: `telemetry_${count}`, level: count }, event]
    })
  }),
  'integers-as-strings §Conventions: Integers that may be 64-bit are strings.': several(
    append('http.data', (data) => deeply(data, integersAsStrings)),
    append('outgoing', (event) => [deepWire(event, integersAsStrings)]),
  ),
  'repeats-bare §4.1: The answer to a repeated create names the session and its status, and shows nothing else.': ({
    views,
  }) => {
    const { session_id = () => undefined, status = () => undefined } = views.created
    views.replayed = { session_id, status }
  },
  'optional-fields-missing §2.1: No field appears that the spec calls optional and that nothing depends on.': several(
    set('views.created.expires_at', () => undefined),
    set('views.replayed.expires_at', () => undefined),
    append('outgoing', (event) => [bare(event)]),
  ),
  'escaped-events §4.4: Events are indented, with their keys backwards.': set('channel.encode', (event) =>
    JSON.stringify(Object.fromEntries(Object.entries(event).toReversed()), null, 1),
  ),
  'fractions-in-single-precision §Conventions: Fractions come back as 32 bits keep them.': append(
    'http.data',
    (data, operation) => (fractional.test(operation) ? deeply(data, inSinglePrecision) : data),
  ),
})

/** An event without its optional fields; `invalid_event` is the one code that is promised. */
function bare(event: JsonObject): JsonObject {
  if (event['type'] === 'error') {
    const error = objectAt(event, 'error')
    const { code } = error
    const kept = without(error, 'code', 'event_id', 'param')
    return { ...event, error: code === 'invalid_event' ? { ...kept, code } : kept }
  }
  if (event['type'] === 'response.created') return without(event, 'request_event_id')
  if (event['type'] === 'session.update.done') return without(event, 'reason')
  if (event['type'] === 'session.updated') return without(event, 'media', 'media_transport')
  if (event['type'] === 'response.output_item.done')
    return { ...event, item: without(objectAt(event, 'item'), 'status') }
  if (event['type'] === 'conversation.item.input_audio_transcription.delta') return without(event, 'content_index')
  return event
}

/** Payloads of Get, List and Close are not shown. */
const notShownVariations = variationsOf({
  'get-without-status §4.1: Get and List show no status.': several(
    set('views.got.status', () => undefined),
    set('views.listed.status', () => undefined),
  ),
  'get-nested §4.1: Get puts the session under a name of its own.': {
    concerns: /avatar-session|session-from-character/,
    override: append('http.data', (data, operation) =>
      operation === 'get-avatar-session' ? { avatar_session: data } : data,
    ),
  },
  'get-like-create §4.1: Get shows all that Create Session returned.': ({ views }) => {
    views.got = { ...views.created }
  },
  'close-empty §4.1: Close answers with empty data.': set('views.closed', {}),
  'close-like-create §4.1: Close shows all that Create Session returned.': ({ views }) => {
    views.closed = { ...views.created }
  },
  'list-array §4.1: List is a bare array, oldest first.': set('views.list', (items) => items.toReversed()),
  'list-ids §4.1: List shows ids alone.': set('views.list', (items) => ({
    session_ids: items.map((item) => item['session_id']),
  })),
  'list-other-name §4.1: List shows its sessions under other names, with a total.': set('views.list', (items) => ({
    total: items.length,
    records: items.map(({ session_id, ...rest }) => ({ id: session_id, detail: rest })),
  })),
  'list-paged §4.1: List shows two sessions at a time.': set('views.list', (items) => ({
    items: items.slice(0, 2),
    next_page_token: items.length > 2 ? 'more' : '',
  })),
  'list-without-closing §4.1: List shows active sessions only.': set(
    'views.lists',
    (session) => session.status === 'active',
  ),
  'effective-filled §2.1: Omitted values come back filled in.': {
    concerns: /avatar-session/,
    override: append('http.data', (data, operation) =>
      operation === 'create-avatar-session' && isWire(data) ? filled(data) : data,
    ),
  },
})

/** "Fields 'same structure as the request'": effective values. */
function filled(data: JsonObject): JsonObject {
  const conversation = {
    turn_detection: { type: 'manual', silence_duration_ms: 500 },
    input_audio_transcription: { enabled: false, language: 'auto' },
    tools: [],
    ...objectAt(data, 'conversation'),
  }
  const avatars = objectsAt(data, 'avatars').map((avatar) => ({ instructions: '', ...avatar }))
  return {
    ...data,
    conversation,
    avatars,
    assets: { audio: [], speech_text: [], visual_prompts: [], ...objectAt(data, 'assets') },
  }
}

export const payloadVariations: readonly Variation[] = [...generalVariations, ...notShownVariations]
