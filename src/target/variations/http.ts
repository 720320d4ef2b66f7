import { set, around, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { ERROR_CODES } from '../behaviour/codes.ts'
import { fixedWindow, type RateState, slidingWindow } from '../behaviour/access/rate.ts'
import type { Variation } from '../deviation.ts'

/** Section 7 states a status for these four; "HTTP status codes for codes not listed as having one above: not shown". */
const STATED: readonly string[] = ['10008', '30006', '30007', '30008']

const freeStatuses =
  (status: (code: string) => number): Override =>
  (behaviour) => {
    const { statuses } = behaviour.http
    for (const code of ERROR_CODES) if (!STATED.includes(code)) statuses[code] = status(code)
  }

const titled = (name: string): string => name.replaceAll(/(^|-)[a-z]/gu, (letter) => letter.toUpperCase())

/** How REST answers travel. */
export const httpVariations: readonly Variation[] = [
  {
    id: 'failures-with-200',
    section: '7',
    text: 'Failures without a stated status travel under 200.',
    override: freeStatuses(() => 200),
  },
  {
    id: 'failures-with-500',
    section: '7',
    text: 'Failures without a stated status travel under 500.',
    override: freeStatuses(() => 500),
  },
  {
    id: 'failures-with-422',
    section: '7',
    text: 'Failures without a stated status travel under 422, those of keys under 403.',
    override: freeStatuses((code) => (code.startsWith('1') ? 403 : 422)),
  },
  {
    id: 'created-with-201',
    section: '7',
    text: 'A create is answered with 201, a close with 202.',
    override: set('http.successStatus', (operation) =>
      operation.startsWith('create') ? 201 : operation.startsWith('close') ? 202 : 200,
    ),
  },
  {
    id: 'gzip',
    section: 'Conventions',
    text: 'Bodies are compressed for those who accept it.',
    override: set('http.gzip', true),
  },
  {
    id: 'chunked',
    section: 'Conventions',
    text: 'Bodies come without a length, in chunks.',
    override: set('http.contentLength', false),
  },
  {
    id: 'no-keep-alive',
    section: 'Conventions',
    text: 'Every connection is closed after its answer.',
    override: set('http.extraHeaders.connection', 'close'),
  },
  {
    id: 'header-case-upper',
    section: 'Conventions',
    text: 'Header names are written in capitals.',
    override: set('http.headerName', (name) => name.toUpperCase()),
  },
  {
    id: 'header-case-title',
    section: 'Conventions',
    text: 'Header names are written Like-This.',
    override: set('http.headerName', titled),
  },
  {
    id: 'extra-headers',
    section: '9',
    text: 'Answers carry version, deprecation and rate headers that the spec does not know.',
    override: around('http.extraHeaders', (extraHeaders) => ({
      ...extraHeaders,
      'x-api-version': '1.0.7',
      deprecation: 'false',
      ratelimit: '60;w=60',
    })),
  },
  {
    id: 'content-type-bare',
    section: 'Conventions',
    text: 'The content type has no charset.',
    override: set('http.contentType', 'application/json'),
  },
  {
    id: 'pretty-json',
    section: 'Conventions',
    text: 'Bodies are indented, with their keys in another order and letters escaped.',
    override: set('http.encode', ({ code, message, data, ...rest }) => {
      const text = JSON.stringify({ data, ...rest, message, code }, null, 2)
      return text.replaceAll(/[^\n -~]/gu, (unit) => unit.split('').map(escaped).join(''))
    }),
  },
  {
    id: 'failure-null-data',
    section: '7',
    text: 'A failure has null as data.',
    override: set('http.failure', (code, message) => ({ code: Number(code), message, data: null })),
  },
  {
    id: 'failure-no-data',
    section: '7',
    text: 'A failure has no data.',
    override: set('http.failure', (code, message) => ({ code: Number(code), message })),
  },
  {
    id: 'failure-detailed-data',
    section: '7',
    text: 'A failure has a list of details as data.',
    override: set('http.failure', (code, message) => ({
      code: Number(code),
      message,
      data: [{ detail: message, trace_id: 'f00' }],
    })),
  },
  {
    id: 'messages-odd',
    section: 'Conventions',
    text: 'Messages have several lines, quotes and markup, and none of the names in the table of errors.',
    override: ({ http }) => {
      const odd = 'Request refused.\n\tSee "details" at <https://docs.example.com/errors> & try again; it\'s {code}.'
      for (const code of ERROR_CODES) http.names[code] = odd
    },
  },
  {
    id: 'success-message-empty',
    section: 'Conventions',
    text: 'The message of a success is empty.',
    override: set('http.success', (data) => ({ code: 0, message: '', data })),
  },
  {
    id: 'unknown-paths-plain',
    section: '4',
    text: 'Unknown paths and methods are answered in plain text, with 405.',
    override: several(set('http.unknownPathPlain', true), set('http.unknownPathStatus', 405)),
  },
  {
    id: 'retry-after-date',
    section: '7',
    text: 'Retry-After is an HTTP date.',
    override: ({ http }) => {
      // HTTP dates have whole seconds, so the next one keeps the promise.
      http.retryAfter = (_code, seconds, now) =>
        seconds === undefined ? undefined : new Date(now + seconds * 1000 + 999).toUTCString()
    },
  },
  {
    id: 'rate-fixed-window',
    section: '8',
    text: 'The rate limit counts from the first request on and starts again after a minute.',
    override: set('rate.decide', fixedWindow),
  },
  {
    id: 'rate-sliding-window',
    section: '8',
    text: 'The rate limit counts the requests of the last minute.',
    override: set('rate.decide', slidingWindow),
  },
  {
    id: 'rate-on-each-node',
    section: '8',
    text: 'Two nodes take turns, and each counts the requests of a key for itself (nothing more is told than a limit).',
    override: around('rate.decide', () => {
      const [here, there] = [new Map<RateState, RateState>(), new Map<RateState, RateState>()]
      let turns = 0
      return (key, perMinute, now) => {
        const node = (turns += 1) % 2 === 0 ? here : there
        const state = node.get(key) ?? { level: 0, since: 0, times: [] }
        node.set(key, state)
        return slidingWindow(state, perMinute, now)
      }
    }),
  },
]

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
