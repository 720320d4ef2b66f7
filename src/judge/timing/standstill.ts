import type { Entry } from '#trace/entry'
import type { Moment } from '../conditions/points.ts'
import type { Call } from '../calls.ts'
import { readOnce } from '../read-once.ts'
import type { Span } from './moments.ts'
import { timeoutOf } from './timeouts.ts'
import type { ExchangeRecord, TraceIndex } from '../trace-index.ts'

/** A time in which nothing came from the target for anybody, though a request waited in vain for as long as an answer may take. */
export interface Standstill {
  /** What was heard last before. */
  readonly from: Moment
  /** What was heard first afterwards; the end of the trace where nothing was. */
  readonly to: Moment
}

/**
 * Times in which the target, or the way to it, stood still. That an answer did not come then says nothing of what was
 * asked for: a machine that hangs for ten seconds answers nobody.
 */
export const standstillsIn = readOnce((trace: TraceIndex): readonly Standstill[] => {
  if (!trace.asked.values().some(timedOut)) return []
  const found: Standstill[] = []
  const long = timeoutOf(trace, 'reply_ms')
  let from: Moment = { line: 0, t: 0 }
  let isStill = false
  const heard = (moment: Moment): void => {
    if (isStill) found.push({ from, to: moment })
    from = moment
    isStill = false
  }
  for (const [place, entry] of trace.entries.entries()) {
    if (isHeard(entry)) heard({ line: place + 1, t: entry.t })
    else if (entry.kind === 'failure' && entry.reason === 'timeout') isStill ||= waited(trace, entry) >= long
  }
  heard({ line: trace.entries.length + 1, t: trace.lastT })
  return found
})

type Time = Pick<Moment, 't'>

/** Times in which the target stood still or nobody listened, since Greenroom itself did: in order, none of them twice. */
const stillTimes = readOnce((trace: TraceIndex): readonly Span[] => {
  const own = trace.halts.map(({ t, ms }) => ({ from: t - ms, until: t }))
  const all = [...own, ...standstillsIn(trace).map(({ from, to }) => ({ from: from.t, until: to.t }))]
  const spans: Span[] = []
  for (const { from, until } of all.toSorted((one, other) => one.from - other.from)) {
    const known = spans.at(-1)?.until ?? Number.NEGATIVE_INFINITY
    if (until > known) spans.push({ from: Math.max(from, known), until })
  }
  return spans
})

/** For how many milliseconds of the time between two moments the target, or Greenroom itself, stood still. */
export function stillBetween(trace: TraceIndex, after: Time, end: Time): number {
  let still = 0
  for (const { from, until } of stillTimes(trace))
    still += Math.max(0, Math.min(end.t, until) - Math.max(after.t, from))
  return still
}

/** How many milliseconds went by between two moments in which the target could have done something that was heard. */
export function passedBetween(trace: TraceIndex, after: Time, end: Time): number {
  return end.t - after.t - stillBetween(trace, after, end)
}

/** The same between two answers. */
export function passedSince(trace: TraceIndex, first: Answered, last: Answered): number {
  return passedBetween(trace, { t: first.answeredT }, { t: last.answeredT })
}

type Answered = Pick<Call, 'answeredT'>

function isHeard(entry: Entry): boolean {
  switch (entry.kind) {
    case 'response':
    case 'frame-received':
    case 'channel-opened':
      return true
    case 'channel-refused':
      return entry.status !== undefined
    case 'channel-closed':
      return entry.by === 'target'
    default:
      return false
  }
}

const timedOut = ({ attempts }: ExchangeRecord): boolean =>
  attempts.some(({ failure }) => failure?.entry.reason === 'timeout')

/** For how long the attempt that failed had waited, in milliseconds. */
function waited(trace: TraceIndex, { exchange, attempt, t }: Extract<Entry, { kind: 'failure' }>): number {
  const sent = trace.asked.get(exchange)?.attempts.find(({ request }) => request.entry.attempt === attempt)
  return sent === undefined ? 0 : t - sent.request.entry.t
}
