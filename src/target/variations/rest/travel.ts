import { append, around, several, set } from '#target/overrides/operators'
import type { Variation } from '#target/deviation'
import { variationsOf } from '../table.ts'

const cookies = `session=${'x'.repeat(2000)}; Path=/; HttpOnly; Secure`
const policy = `default-src 'none'; report-uri https://reports.example.com/${'r'.repeat(1500)}`

/** What HTTP leaves to whoever answers. */
const connectionVariations = variationsOf({
  'answers-hinted §Conventions: A `103 Early Hints` goes before each answer.': set('http.hints', true),
  'answers-in-pieces §Conventions: Bodies come in pieces of 61 bytes, which cut through letters.': several(
    set('http.contentLength', false),
    set('http.pieces', 61),
  ),
  'connections-of-five §Conventions: A connection is closed after five answers.': set('http.answersPerConnection', 5),
  'connections-end-soon §Conventions: A connection on which nothing comes is closed after a fifth of a second.': set(
    'http.idleConnectionMs',
    200,
  ),
  'headers-large §Conventions: Answers set cookies, policies and an age, may be cached, and challenge whoever asks.':
    around('http.extraHeaders', (extraHeaders) => ({
      ...extraHeaders,
      'set-cookie': cookies,
      'content-security-policy': policy,
      'cache-control': 'private, max-age=3600',
      etag: '"same"',
      age: '12',
      'www-authenticate': 'Bearer realm="workspace"',
    })),
  'content-type-vendor §Conventions: The content type is that of a vendor.': set(
    'http.contentType',
    'application/vnd.streaming.v1+json',
  ),
  'content-type-text §Conventions: JSON travels as plain text.': set('http.contentType', 'text/plain; charset=utf-8'),
  'content-type-missing §Conventions: No content type is given.': set('http.contentType', ''),
})

/** Statuses and envelopes of answers. */
const answerVariations = variationsOf({
  'successes-with-202 §7: Every success travels under 202.': set('http.successStatus', () => 202),
  'statuses-of-their-own §7: What is not found is gone (410), what is invalid is in conflict (409), whoever has no key must pay (402).':
    ({ http: { statuses } }) => {
      Object.assign(statuses, { '20005': 410, '30004': 409, '20004': 409, '10001': 402, '10003': 402, '10009': 423 })
    },
  'failures-of-empty-fields §7: The data of a failure has the fields of a session, empty, and its status is `failed`.':
    set('http.failure', (code, message) => ({
      code: Number(code),
      message,
      data: { session_id: '', character_id: '', status: 'failed', control: null, items: [], voices: [] },
    })),
  'close-null §4.1: Close answers with null as data.': append('http.data', (shown, operation) =>
    operation === 'close-avatar-session' ? null : shown,
  ),
})

export const travelVariations: readonly Variation[] = [...connectionVariations, ...answerVariations]
