import { at, isObject } from '#trace/json'
import { answerTo } from '../answers.ts'
import { clockOf } from '../calls.ts'
import { createsAvatarSession } from '../operations.ts'
import { readOnce } from '../read-once.ts'
import type { Attempt, TraceIndex } from '../trace-index.ts'

/** `Date` is cut to the second. */
const cut_ms = 1_000
/** That, and the answer took its time. */
const tolerance_ms = 5_000
/** Clocks that are further apart are no clocks of one service, unless the one of the sessions is right by ours. */
const most_ms = 300_000

/** A session that was to last so many seconds, and how much later than that it is said to expire, by `Date`. */
interface Expiry {
  readonly seconds: number
  readonly late: number
}

/**
 * How far the clock that sessions expire by goes ahead of that of the `Date` header, in milliseconds: an edge may write
 * the header, whose clock is another machine's. It shows where sessions of different durations expire off by the same
 * time. Some of them may have been made shorter than asked for, so that the latest count. 0 where nothing shows it; undefined
 * where the headers are of several clocks, or of one that stands still at times.
 */
export const clockOffset = readOnce((trace: TraceIndex): number | undefined => {
  if (spreadOf(trace, Number.POSITIVE_INFINITY) > slowest_ms || spreadOf(trace, quick_ms) > tolerance_ms)
    return undefined
  const shown = latestNear(expiriesIn(trace), ({ size }) => size > 1) ?? 0
  const isOther = Math.abs(shown) > tolerance_ms
  return isOther && (Math.abs(shown) <= most_ms || isOurs(trace, shown)) ? shown : 0
})

/** Whether the clock that sessions expire by is right by our own: then it is the `Date` that is wrong, however much. */
function isOurs(trace: TraceIndex, offset: number): boolean {
  const ours = Date.parse(trace.header?.date ?? '')
  return Math.abs(mostAhead(trace) + offset - ours) <= tolerance_ms
}

/**
 * How far that clock may be behind, at least, in milliseconds, 0 or less: where two clocks are nearly the same, a session of
 * few seconds has expired by one before it has begun by the other. Only durations that are far apart show it.
 */
export const clockBehind = readOnce((trace: TraceIndex): number => {
  const far = (durations: ReadonlySet<number>): boolean =>
    (Math.max(...durations) - Math.min(...durations)) * 1_000 > 2 * tolerance_ms
  return Math.max(-tolerance_ms, Math.min(0, latestNear(expiriesIn(trace), far) ?? 0))
})

/** An answer may take so long on its way that its `Date` looks older than it was, in milliseconds. */
const slowest_ms = 20_000
/** One that took no longer was dated when it came, cut to the second. */
const quick_ms = 1_000

/**
 * How far apart the `Date` headers of a run are, held against the time of their answers. Edges write them, each by its own
 * clock, so that answers to requests of the same second may be dated minutes apart: then none of them tells when anything
 * happened. A server that gets no time writes one that is seconds old.
 *
 * @param longest answers that took longer do not count; milliseconds
 */
function spreadOf(trace: TraceIndex, longest: number): number {
  const all = answersOf(trace).filter(({ took }) => took <= longest)
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { ahead } of all) [least, most] = [Math.min(least, ahead), Math.max(most, ahead)]
  return Math.max(0, most - least)
}

/** How long each dated answer took, and how far its `Date` is ahead of the time of the run; milliseconds. */
const answersOf = readOnce((trace: TraceIndex): readonly { readonly took: number; readonly ahead: number }[] => {
  const attempts = [...trace.exchanges.values()].flatMap((exchange) => exchange.attempts)
  return attempts.flatMap(({ request, response }) => {
    const clock = clockOf(response?.entry.headers['date'])
    if (clock === undefined || response === undefined) return []
    return [{ took: response.entry.t - request.entry.t, ahead: clock - response.entry.t }]
  })
})

/**
 * The time by the clock that sessions expire by when an answer came, as far as `Date` headers tell: its own may be seconds
 * old, but those of others are not ahead of their time. Undefined where they tell nothing ({@link clockOffset}).
 */
export function clockWhen(trace: TraceIndex, answer: { clock: number; answeredT: number }): number | undefined {
  const offset = clockOffset(trace)
  return offset === undefined ? undefined : Math.max(answer.clock, answer.answeredT + mostAhead(trace)) + offset
}

const mostAhead = readOnce((trace: TraceIndex) =>
  answersOf(trace).reduce((most, { ahead }) => Math.max(most, ahead), Number.NEGATIVE_INFINITY),
)

const expiriesIn = readOnce((trace: TraceIndex): readonly Expiry[] => {
  const all = [...trace.exchanges.values()].filter(({ operation }) => createsAvatarSession(operation))
  return all.flatMap(({ attempts }) => attempts.flatMap((attempt) => expiryOf(trace, attempt) ?? []))
})

/** The latest expiry such that those which are as late, or hardly earlier, have durations that are enough. */
function latestNear(
  expiries: readonly Expiry[],
  areEnough: (durations: ReadonlySet<number>) => boolean,
): number | undefined {
  const latest = expiries.map(({ late }) => late).toSorted((one, other) => other - one)
  return latest.find((most) => {
    const near = expiries.filter(({ late }) => late <= most && late > most - tolerance_ms)
    return areEnough(new Set(near.map(({ seconds }) => seconds)))
  })
}

function expiryOf(trace: TraceIndex, attempt: Attempt): Expiry | undefined {
  const { request, response } = attempt
  const answer = answerTo(attempt)
  const clock = clockOf(response?.entry.headers['date'])
  const { body } = request.entry
  if (answer.kind !== 'success' || clock === undefined || !isObject(body)) return undefined
  const [seconds, expires] = [body['max_duration_seconds'], at(answer.data, '/expires_at')]
  const time = typeof expires === 'string' ? Date.parse(expires) : Number.NaN
  if (typeof seconds !== 'number' || Number.isNaN(time)) return undefined
  // The `Date` of a server that stood still while it was asked may be as old as its standstill.
  const freshest = (response?.entry.t ?? 0) + mostAhead(trace)
  const now = freshest - clock > cut_ms ? freshest : clock
  return { seconds, late: time - now - seconds * 1_000 }
}
