import { at } from '#trace/json'
import type { Call } from '../calls.ts'
import type { TraceIndex } from '../trace-index.ts'
import { clockOffset } from './clock-offset.ts'

/** No session is sure to be open for longer without a word of it, in seconds. */
const longest = 60
/** The shortest duration that section 8 allows, in seconds: a character may have been saved with it. */
const shortest = 4
/** Clocks are off by so much, beside what a header tells in whole seconds. */
const slack = 2

/** A create that was accepted: its body, the data of its answer, and the target's clock when it answered. */
type Made = Pick<Call, 'asked' | 'data' | 'clock'>

/**
 * Neither a timer that the service showed nor one that it was given ends a session sooner than so many milliseconds after
 * its create was sent. The duration that a character was saved with is not seen here: where neither the start nor
 * `expires_at` tells of one, it may be the shortest that there is.
 */
export function sureLife_ms(trace: TraceIndex, { asked, data, clock }: Made): number {
  const lasting = positive(asked['max_duration_seconds'], untilExpiry(trace, data, clock))
  const timers = positive(
    at(data, '/auto_close/disconnected_timeout_seconds'),
    at(data, '/auto_close/interaction_idle_timeout_seconds'),
  )
  const untold = asked['character_id'] === undefined ? longest : shortest
  return Math.min(longest, ...(lasting.length > 0 ? lasting : [untold]), ...timers) * 1_000
}

/** Seconds from the answer to `expires_at`, by the clock that sessions expire by. */
function untilExpiry(trace: TraceIndex, data: Made['data'], clock: number | undefined): number | undefined {
  const end = at(data, '/expires_at')
  const offset = clockOffset(trace)
  if (typeof end !== 'string' || clock === undefined || offset === undefined) return undefined
  const left = (Date.parse(end) - clock - offset) / 1_000 - slack
  return Number.isNaN(left) ? undefined : Math.max(left, Number.MIN_VALUE)
}

/** Those that are set: 64-bit integers may be strings (Conventions); 0 disables. */
export function positive(...values: readonly unknown[]): readonly number[] {
  return values.map(Number).filter((seconds) => seconds > 0)
}
