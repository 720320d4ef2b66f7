import { answerTo } from '#judge/answers'
import { firstPlace } from '#trace/first-place'
import { readOnce } from '#judge/read-once'
import { ourClockAt } from '#judge/timing/our-clock'
import type { TraceIndex } from '#judge/trace-index'
import { at } from '#trace/json'

/** API rate limit exceeded (section 7). */
const limited = 10008
/** Section 8: "60 requests per minute per key by default". */
const usual = 60

/** One request on the wire and what came of it. Times are milliseconds of the run. */
export interface SentRequest {
  readonly operation: string | null
  readonly line: number
  readonly at: number
  /** Line and time of the answer; those of the request where none came. */
  readonly answerLine: number
  readonly answered: number
  /** Code of the envelope; undefined where none came. */
  readonly code: number | undefined
  readonly refused: boolean
  readonly headers: { readonly [name: string]: string }
  /** What our clock showed when the answer came, in milliseconds since 1970. */
  readonly clock: number | undefined
  readonly scenario: string | undefined
}

/** All requests of each key, in the order in which they were sent. */
export const logByKey = readOnce(readLogs)

function readLogs(trace: TraceIndex): ReadonlyMap<string, readonly SentRequest[]> {
  const found = new Map<string, SentRequest[]>()
  for (const { key, operation, scenario, attempts } of trace.exchanges.values()) {
    if (key === 'none' || key === 'malformed') continue
    const log = found.get(key) ?? []
    found.set(key, log)
    for (const attempt of attempts) {
      const { request, response, failure } = attempt
      const answer = answerTo(attempt)
      const code = answer.kind === 'success' ? 0 : answer.kind === 'failure' ? answer.code : undefined
      const end = response ?? failure
      log.push({
        operation,
        line: request.line,
        at: request.entry.t,
        answerLine: end?.line ?? request.line,
        answered: end?.entry.t ?? request.entry.t,
        code,
        refused: code === limited,
        headers: response?.entry.headers ?? {},
        clock: ourClockAt(trace, (end ?? request).entry.t),
        scenario,
      })
    }
  }
  for (const log of found.values()) log.sort((one, other) => one.line - other.line)
  return found
}

/** Requests a minute that the profile in the header declares for a key. */
export function limitOf(trace: TraceIndex, key: string): number {
  const declared = at(trace.header?.profile, `/limits/${key}/requests_per_minute`)
  return typeof declared === 'number' && declared > 0 ? declared : usual
}

/**
 * Milliseconds that an answer asks to wait: whole seconds, or a date against the answer's own `Date`, since clocks differ.
 * Undefined where it says neither, and where a date comes without a `Date`, which the interface does not ask for.
 *
 * @param clock what our own clock showed, which such a date is then counted from
 */
export function pauseAsked(headers: SentRequest['headers'], clock?: number): number | undefined {
  const own = (name: string) => (Object.hasOwn(headers, name) ? headers[name] : undefined)
  const text = own('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const [until, now] = [dateIn(text), dateIn(own('date')) ?? clock]
  return until === undefined || now === undefined ? undefined : Math.max(0, until - now)
}

/** The same by our own clock alone; undefined where it says seconds, which no clock changes. */
export function pauseByOurClock(headers: SentRequest['headers'], clock: number | undefined): number | undefined {
  const until = Object.hasOwn(headers, 'retry-after') ? dateIn(headers['retry-after']?.trim()) : undefined
  return until === undefined || clock === undefined ? undefined : Math.max(0, until - clock)
}

function dateIn(text: string | undefined): number | undefined {
  const time = text !== undefined && /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** What of the log was sent from `from` on and before `until`, both in milliseconds of the run. */
export function sentBetween(log: readonly SentRequest[], from: number, until: number): readonly SentRequest[] {
  return log.slice(
    firstPlace(log, (one) => one.at >= from),
    firstPlace(log, (one) => one.at >= until),
  )
}

/** What was sent from `from` on (milliseconds of the run) and before a line. */
export function sentSince(log: readonly SentRequest[], from: number, line: number): readonly SentRequest[] {
  return log.slice(
    firstPlace(log, (one) => one.at >= from),
    firstPlace(log, (one) => one.line >= line),
  )
}
