import type { Condition, Eventually } from '#trace/claim'
import { firstMatch, judgeEventually } from '../conditions/channel-conditions.ts'
import { momentOf } from '../conditions/points.ts'
import type { FrameRecord, TraceIndex } from '../trace-index.ts'

/** An answer that came later than it was granted; it holds all the same. */
export interface Late {
  readonly ms: number
  readonly frame: FrameRecord
}

/** The slowest answer of a run to what claims expect, where one came late. */
export function slowestLate(trace: TraceIndex): Late | undefined {
  let slowest: Late | undefined
  for (const { entry } of trace.claims) {
    forEachExpected(entry.condition, (one) => {
      const late = lateness(trace, one)
      if (late !== undefined && late.ms > (slowest?.ms ?? 0)) slowest = late
    })
  }
  return slowest
}

function forEachExpected(condition: Condition, take: (one: Eventually) => void): void {
  if (condition.is === 'eventually') take(condition)
  else if (condition.is === 'any' || condition.is === 'all') for (const one of condition.of) forEachExpected(one, take)
}

/** Whether it holds is asked only of what came late: nearly everything comes in time. */
function lateness(trace: TraceIndex, condition: Eventually): Late | undefined {
  const after = momentOf(trace, condition.after)
  const channel = trace.channels.get(condition.channel)
  if (after === undefined || channel === undefined) return undefined
  const isLate = (frame: FrameRecord | undefined): frame is FrameRecord =>
    frame !== undefined && frame.t - after.t > condition.within
  // On most channels nothing came so late at all.
  if (!isLate(channel.frames.at(-1))) return undefined
  const frame = firstMatch(channel, after.line, condition.match)
  if (!isLate(frame)) return undefined
  return judgeEventually(trace, condition).state === 'held' ? { ms: frame.t - after.t, frame } : undefined
}
