import { isRecording } from '../recordings.ts'
import { defaultTimeouts, type Timeouts } from '#spec/profile'
import { at } from '#trace/json'
import type { TraceIndex } from '../trace-index.ts'

/** For how long something that does not come is waited for; the others say how far off something may be that came. */
const waits: ReadonlySet<keyof Timeouts> = new Set(['reply_ms', 'event_ms', 'closed_ms', 'provisioning_ms'])

/** What has not come within its time is waited for once more as long before it counts as missing. */
export const watchFactor = 2

/** When something that has not come within its time is missing, in milliseconds: the deadline is ours, not the interface's. */
export function missingAfter(trace: TraceIndex, name: keyof Timeouts): number {
  return watchFactor * timeoutOf(trace, name)
}

/**
 * How long this run's target may take, in milliseconds: what the profile says, else the default. Traffic that was only
 * recorded ran under no promise but the profile's: where that says nothing, nothing in a recording comes too late
 * (Infinity).
 */
export function timeoutOf({ header }: TraceIndex, name: keyof Timeouts): number {
  const told = at(header?.profile, `/timeouts/${name}`)
  if (typeof told === 'number') return told
  return isRecording({ header }) && waits.has(name) ? Number.POSITIVE_INFINITY : defaultTimeouts[name]
}
