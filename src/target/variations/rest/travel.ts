import { append, around, several, set } from '#target/overrides/operators'
import type { Variation } from '#target/deviation'

const cookies = `session=${'x'.repeat(2000)}; Path=/; HttpOnly; Secure`
const policy = `default-src 'none'; report-uri https://reports.example.com/${'r'.repeat(1500)}`

/** What HTTP leaves to whoever answers. */
const connectionVariations: readonly Variation[] = [
  {
    id: 'answers-hinted',
    section: 'Conventions',
    text: 'A `103 Early Hints` goes before each answer.',
    override: set('http.hints', true),
  },
  {
    id: 'answers-in-pieces',
    section: 'Conventions',
    text: 'Bodies come in pieces of 61 bytes, which cut through letters.',
    override: several(set('http.contentLength', false), set('http.pieces', 61)),
  },
  {
    id: 'connections-of-five',
    section: 'Conventions',
    text: 'A connection is closed after five answers.',
    override: set('http.answersPerConnection', 5),
  },
  {
    id: 'connections-end-soon',
    section: 'Conventions',
    text: 'A connection on which nothing comes is closed after a fifth of a second.',
    override: set('http.idleConnectionMs', 200),
  },
  {
    id: 'headers-large',
    section: 'Conventions',
    text: 'Answers set cookies, policies and an age, may be cached, and challenge whoever asks.',
    override: around('http.extraHeaders', (extraHeaders) => ({
      ...extraHeaders,
      'set-cookie': cookies,
      'content-security-policy': policy,
      'cache-control': 'private, max-age=3600',
      etag: '"same"',
      age: '12',
      'www-authenticate': 'Bearer realm="workspace"',
    })),
  },
  {
    id: 'content-type-vendor',
    section: 'Conventions',
    text: 'The content type is that of a vendor.',
    override: set('http.contentType', 'application/vnd.streaming.v1+json'),
  },
  {
    id: 'content-type-text',
    section: 'Conventions',
    text: 'JSON travels as plain text.',
    override: set('http.contentType', 'text/plain; charset=utf-8'),
  },
  {
    id: 'content-type-missing',
    section: 'Conventions',
    text: 'No content type is given.',
    override: set('http.contentType', ''),
  },
]

/** Statuses and envelopes of answers. */
const answerVariations: readonly Variation[] = [
  {
    id: 'successes-with-202',
    section: '7',
    text: 'Every success travels under 202.',
    override: set('http.successStatus', () => 202),
  },
  {
    id: 'statuses-of-their-own',
    section: '7',
    text: 'What is not found is gone (410), what is invalid is in conflict (409), whoever has no key must pay (402).',
    override: ({ http: { statuses } }) => {
      Object.assign(statuses, { '20005': 410, '30004': 409, '20004': 409, '10001': 402, '10003': 402, '10009': 423 })
    },
  },
  {
    id: 'failures-of-empty-fields',
    section: '7',
    text: 'The data of a failure has the fields of a session, empty, and its status is `failed`.',
    override: set('http.failure', (code, message) => ({
      code: Number(code),
      message,
      data: { session_id: '', character_id: '', status: 'failed', control: null, items: [], voices: [] },
    })),
  },
  {
    id: 'close-null',
    section: '4.1',
    text: 'Close answers with null as data.',
    override: append('http.data', (shown, operation) => (operation === 'close-avatar-session' ? null : shown)),
  },
]

export const travelVariations: readonly Variation[] = [...connectionVariations, ...answerVariations]
