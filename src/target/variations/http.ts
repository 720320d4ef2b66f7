import { set, around, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { ERROR_CODES } from '../behaviour/codes.ts'
import { fixedWindow, type RateState, slidingWindow } from '../behaviour/access/rate.ts'
import { variationsOf } from './table.ts'

/** Section 7 states a status for these four; "HTTP status codes for codes not listed as having one above: not shown". */
const STATED: readonly string[] = ['10008', '30006', '30007', '30008']

/** What others sent on a key: it still counts when a run begins, and for ten seconds more. */
const usedBefore_ms = 50_000

const freeStatuses =
  (status: (code: string) => number): Override =>
  (behaviour) => {
    const { statuses } = behaviour.http
    for (const code of ERROR_CODES) if (!STATED.includes(code)) statuses[code] = status(code)
  }

const titled = (name: string): string => name.replaceAll(/(^|-)[a-z]/gu, (letter) => letter.toUpperCase())

/** How REST answers travel. */
/** HTTP dates have whole seconds, so that the next one keeps the promise. @param behindMs of the clock that it is told by */
const retryDate = (behindMs = 0): Override =>
  set('http.retryAfter', (_code, seconds, now) =>
    seconds === undefined ? undefined : new Date(now - behindMs + seconds * 1000 + 999).toUTCString(),
  )

export const httpVariations = variationsOf({
  'failures-with-200 §7: Failures without a stated status travel under 200.': freeStatuses(() => 200),
  'failures-with-500 §7: Failures without a stated status travel under 500.': freeStatuses(() => 500),
  'failures-with-422 §7: Failures without a stated status travel under 422, those of keys under 403.': freeStatuses(
    (code) => (code.startsWith('1') ? 403 : 422),
  ),
  'created-with-201 §7: A create is answered with 201, a close with 202.': set('http.successStatus', (operation) =>
    operation.startsWith('create') ? 201 : operation.startsWith('close') ? 202 : 200,
  ),
  'gzip §Conventions: Bodies are compressed for those who accept it.': set('http.compression', 'gzip'),
  'brotli §Conventions: Bodies are compressed by Brotli for those who accept it.': set('http.compression', 'br'),
  'deflate-bodies §Conventions: Bodies are compressed by deflate for those who accept it.': set(
    'http.compression',
    'deflate',
  ),
  'chunked §Conventions: Bodies come without a length, in chunks.': set('http.contentLength', false),
  'no-keep-alive §Conventions: Every connection is closed after its answer.': set(
    'http.extraHeaders.connection',
    'close',
  ),
  'header-case-upper §Conventions: Header names are written in capitals.': set('http.headerName', (name) =>
    name.toUpperCase(),
  ),
  'header-case-title §Conventions: Header names are written Like-This.': set('http.headerName', titled),
  'extra-headers §9: Answers carry version, deprecation and rate headers that the spec does not know.': around(
    'http.extraHeaders',
    (extraHeaders) => ({
      ...extraHeaders,
      'x-api-version': '1.0.7',
      deprecation: 'false',
      ratelimit: '60;w=60',
    }),
  ),
  'content-type-bare §Conventions: The content type has no charset.': set('http.contentType', 'application/json'),
  'pretty-json §Conventions: Bodies are indented, with their keys in another order and letters escaped.': set(
    'http.encode',
    ({ code, message, data, ...rest }) => {
      const text = JSON.stringify({ data, ...rest, message, code }, null, 2)
      return text.replaceAll(/[^\n -~]/gu, (unit) => unit.split('').map(escaped).join(''))
    },
  ),
  'failure-null-data §7: A failure has null as data.': set('http.failure', (code, message) => ({
    code: Number(code),
    message,
    data: null,
  })),
  'failure-no-data §7: A failure has no data.': set('http.failure', (code, message) => ({
    code: Number(code),
    message,
  })),
  'failure-detailed-data §7: A failure has a list of details as data.': set('http.failure', (code, message) => ({
    code: Number(code),
    message,
    data: [{ detail: message, trace_id: 'f00' }],
  })),
  'messages-odd §Conventions: Messages have several lines, quotes and markup, and none of the names in the table of errors.':
    ({ http }) => {
      const odd = 'Request refused.\n\tSee "details" at <https://docs.example.com/errors> & try again; it\'s {code}.'
      for (const code of ERROR_CODES) http.names[code] = odd
    },
  'success-message-empty §Conventions: The message of a success is empty.': set('http.success', (data) => ({
    code: 0,
    message: '',
    data,
  })),
  'unknown-paths-plain §4: Unknown paths and methods are answered in plain text, with 405.': several(
    set('http.unknownPathPlain', true),
    set('http.unknownPathStatus', 405),
  ),
  'retry-after-date §7: Retry-After is an HTTP date.': retryDate(),
  'retry-after-date-undated §7: Retry-After is an HTTP date, and no answer has a Date to count it from.': several(
    retryDate(),
    set('http.dated', false),
  ),
  'retry-after-date-undated-slow §7: So it is on a service whose clock is 20 s behind.': several(
    retryDate(20_000),
    set('http.dated', false),
  ),
  'retry-after-date-of-another-clock §7: Retry-After is an HTTP date, a minute from the first request on, and the Date beside it comes from a clock in front that is 20 s ahead.':
    several(
      retryDate(),
      set('rate.decide', fixedWindow),
      set('http.dateAheadMs', () => 20_000),
    ),
  'rate-fixed-window §8: The rate limit counts from the first request on and starts again after a minute.': set(
    'rate.decide',
    fixedWindow,
  ),
  'rate-sliding-window §8: The rate limit counts the requests of the last minute.': set('rate.decide', slidingWindow),
  'rate-used-before §8: Somebody has used up a key but for one request, most of a minute before a run begins.': ({
    rate,
  }) => {
    const { perMinute } = rate
    let isUsed = false
    rate.perMinute = (account) => {
      isUsed = account.name === 'rate_limited'
      return perMinute(account)
    }
    rate.decide = (state, most, now) => {
      if (isUsed && state.since === 0) {
        state.since = now
        state.times = Array.from({ length: most - 1 }, () => now - usedBefore_ms)
      }
      return slidingWindow(state, most, now)
    }
  },
  'rate-on-each-node §8: Two nodes take turns, and each counts the requests of a key for itself (nothing more is told than a limit).':
    around('rate.decide', () => {
      const [here, there] = [new Map<RateState, RateState>(), new Map<RateState, RateState>()]
      let turns = 0
      return (key, perMinute, now) => {
        const node = (turns += 1) % 2 === 0 ? here : there
        const state = node.get(key) ?? { level: 0, since: 0, times: [] }
        node.set(key, state)
        return slidingWindow(state, perMinute, now)
      }
    }),
})

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
