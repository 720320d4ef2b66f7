import type { Entry } from '#trace/entry'
import type { Moment } from '../conditions/points.ts'
import { readOnce } from '../read-once.ts'
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

/** For how many milliseconds of the time between two moments the target stood still. */
export function stillBetween(trace: TraceIndex, after: Moment, end: Moment): number {
  let still = 0
  for (const { from, to } of standstillsIn(trace))
    still += Math.max(0, Math.min(end.t, to.t) - Math.max(after.t, from.t))
  return still
}

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
