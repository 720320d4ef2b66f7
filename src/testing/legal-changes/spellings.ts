import type { Entry, ResponseEntry } from '#trace/entry'
import { isObject, type Json, type JsonObject } from '#trace/json'
import { failureOf, mapAnswers, mapEnvelopes, mapEvents, mapSaid, withObjects, without } from './content.ts'
import type { Chance, LegalChange } from './legal-change.ts'

/** What may describe a failure in English: words, and not that it is a success. */
const descriptions: readonly [string, ...string[]] = [
  'x',
  'null',
  'Not found (20005)',
  '10008 API rate limit exceeded',
  'invalid_event',
  'response.done',
  'session.closed',
  'Das geht nicht: “nein” 🧦 \u202eabc',
  '<html><body>502 Bad Gateway</body></html>',
  '{"code":0,"message":"ok"}',
  'too long '.repeat(2_000),
]

const texts: readonly [string, ...string[]] = ['0', 'success', ...descriptions]

/** Codes whose HTTP status is stated. */
const stated = new Set([10_008, 30_006, 30_008, 30_007])
const failureStatuses: readonly [number, ...number[]] = [
  200, 400, 401, 402, 403, 404, 405, 409, 410, 412, 413, 415, 422, 423, 451, 499,
]

const integers = new Set([
  'size_bytes',
  'media_time_ms',
  'last_sequence',
  'generated_video_ms',
  'generated_audio_ms',
  'max_event_bytes',
  'max_references',
  'max_reference_images',
  'audio_start_ms',
  'audio_end_ms',
  'content_index',
  'disconnected_timeout_seconds',
  'interaction_idle_timeout_seconds',
  'fps',
  'max_idle_ms',
  'max_duration_seconds',
  'silence_duration_ms',
])

function spelt(object: JsonObject, chance: Chance): JsonObject {
  const spell = ([name, value]: readonly [string, Json]): readonly [string, Json] =>
    integers.has(name) && typeof value === 'number' && chance.here() ? [name, String(value)] : [name, value]
  return Object.fromEntries(Object.entries(object).map(spell))
}

function turned(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(turned)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, turned(one)]),
  )
}

function turnedObject(said: JsonObject): JsonObject {
  const all = turned(said)
  return isObject(all) ? all : said
}

type Headers = ResponseEntry['headers']

/** Each answer with other headers; `retry-after` stays what it is. */
function withHeaders(change: (headers: Headers, chance: Chance) => Headers): LegalChange['apply'] {
  return (entries, chance) =>
    mapAnswers(entries, ({ response }) =>
      chance.here() ? { ...response, headers: change(response.headers, chance) } : response,
    )
}

function retryAfterOnly(headers: Headers): Headers {
  const { 'retry-after': seconds } = headers
  return seconds === undefined ? {} : { 'retry-after': seconds }
}

const contentTypes: readonly [string, ...string[]] = [
  'application/json',
  'application/json;charset=UTF-8',
  'APPLICATION/JSON; Charset="utf-8"',
  'application/problem+json',
  'text/json',
  'application/vnd.service.v1+json',
]

const moreHeaders: Headers = {
  'x-request-id': 'r-1',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-limit': '1',
  'ratelimit-reset': '3600',
  'set-cookie': 'a=b; Path=/',
  via: '1.1 edge',
  age: '0',
  server: 'edge',
  'alt-svc': 'h3=":443"',
  'strict-transport-security': 'max-age=1',
  'cache-control': 'no-store',
  'x-code': '20005',
}

function otherFailureData(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const all: readonly [Json, ...Json[]] = [
    null,
    {},
    [],
    '',
    0,
    false,
    'text',
    { reason: 'x', session_id: 'ses_unknown', status: 'active' },
  ]
  return mapEnvelopes(entries, (envelope) => {
    if (failureOf(envelope) === undefined || !chance.here()) return envelope
    return chance.below(4) === 0 ? without(envelope, 'data') : { ...envelope, data: chance.one(all) }
  })
}

function inError(change: (error: JsonObject, chance: Chance) => JsonObject): LegalChange['apply'] {
  return (entries, chance) =>
    mapEvents(entries, (event) =>
      event['type'] === 'error' && isObject(event['error']) && chance.here()
        ? { ...event, error: change(event['error'], chance) }
        : event,
    )
}

const errorTypes: readonly [string, ...string[]] = ['invalid_request_error', 'x', 'error', 'not_found', 'response.done']

/** Only a missing `type` has a code that is stated. */
function withErrorCode(error: JsonObject, chance: Chance): JsonObject {
  return error['code'] === 'invalid_event' || error['code'] === undefined
    ? error
    : { ...error, code: chance.one(['x', '20005', 'busy', 'error', 'a b', '-']) }
}

const reasons: readonly [string, ...string[]] = [
  'x',
  '',
  'superseded',
  'interaction_idle_timeout',
  'maintenance',
  'completed',
  'grund: ä',
]

/** What the same thing may be called, and how it may be written. */
export const spellings: readonly LegalChange[] = [
  {
    id: 'key-order',
    section: 'Conventions',
    why: 'Members of a JSON object have no order.',
    apply: (entries, chance) => mapSaid(entries, (said) => (chance.here() ? turnedObject(said) : said)),
  },
  {
    id: 'integers-as-strings',
    section: 'Conventions',
    why: '64-bit integers may be returned as strings, and which are is not said.',
    apply: (entries, chance) => mapSaid(entries, (said) => withObjects(said, (object) => spelt(object, chance))),
  },
  {
    id: 'messages',
    section: 'Conventions',
    why: 'The text of `message` is not fixed.',
    apply: (entries, chance) =>
      mapEnvelopes(entries, (envelope) =>
        chance.here() ? { ...envelope, message: chance.one(descriptions) } : envelope,
      ),
  },
  {
    id: 'error-messages',
    section: '6.2',
    why: 'The text of `error.message` is not fixed.',
    apply: inError((error, chance) => ({ ...error, message: chance.one(texts) })),
  },
  {
    id: 'error-types',
    section: '6.2',
    why: 'Types of errors are given by examples; but for a failure of the service, none means anything to a client.',
    apply: inError((error, chance) => ({ ...error, type: chance.one(errorTypes) })),
  },
  {
    id: 'error-codes',
    section: '7',
    why: 'The list of `error.code` is not shown, but for one.',
    apply: inError(withErrorCode),
  },
  {
    id: 'error-params',
    section: '6.2',
    why: 'Of `error.param` no more is said than that it is optional.',
    apply: inError((error, chance) => ({ ...error, param: chance.one(['', 'item_id', 'response.done', 'event_id']) })),
  },
  {
    id: 'reasons',
    section: '6.2',
    why: 'Reasons are open: unfamiliar ones must be tolerated.',
    apply: (entries, chance) =>
      mapEvents(entries, (event) =>
        typeof event['reason'] === 'string' && chance.here() ? { ...event, reason: chance.one(reasons) } : event,
      ),
  },
  {
    id: 'few-headers',
    section: '7',
    why: 'No header is promised but `Retry-After`.',
    apply: withHeaders(retryAfterOnly),
  },
  {
    id: 'many-headers',
    section: '7',
    why: 'No header is excluded but `Retry-After` beside 30006 and 30008.',
    apply: withHeaders((headers) => ({ ...headers, ...moreHeaders })),
  },
  {
    id: 'content-types',
    section: 'Conventions',
    why: 'Bodies are JSON; no media type is named for them.',
    apply: withHeaders((headers, chance) => ({ ...headers, 'content-type': chance.one(contentTypes) })),
  },
  {
    id: 'failure-statuses',
    section: '7',
    why: 'HTTP status codes for codes not listed as having one are not shown.',
    apply: (entries, chance) =>
      mapAnswers(entries, ({ response, envelope }) => {
        const code = failureOf(envelope)
        if (code === undefined || stated.has(code) || response.status >= 429 || !chance.here()) return response
        return { ...response, status: chance.one(failureStatuses) }
      }),
  },
  {
    id: 'success-statuses',
    section: '7',
    why: 'HTTP status codes of successes are not shown.',
    apply: (entries, chance) =>
      mapAnswers(entries, ({ response, envelope }) =>
        envelope['code'] === 0 && chance.here() ? { ...response, status: chance.one([200, 201, 202, 203]) } : response,
      ),
  },
  {
    id: 'failure-data',
    section: 'Conventions',
    why: 'What stands under `data` of a failure is not said.',
    apply: otherFailureData,
  },
]
