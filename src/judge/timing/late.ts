import type { Condition, Eventually } from '#trace/claim'
import { judgeEventually } from '../conditions/channel-conditions.ts'
import { momentOf, placeAfter } from '../conditions/points.ts'
import type { FrameRecord, TraceIndex } from '../trace-index.ts'

/** An answer that came later than it was granted; it holds all the same. */
export interface Late {
  readonly ms: number
  readonly frame: FrameRecord
}

/** The slowest answer of a run to what claims expect, where one came late. */
export function slowestLate(trace: TraceIndex): Late | undefined {
  const late = trace.claims
    .flatMap(({ entry }) => expected(entry.condition))
    .flatMap((one) => lateness(trace, one) ?? [])
  return late.reduce<Late | undefined>((slowest, one) => (one.ms > (slowest?.ms ?? 0) ? one : slowest), undefined)
}

function expected(condition: Condition): readonly Eventually[] {
  if (condition.is === 'eventually') return [condition]
  return condition.is === 'any' || condition.is === 'all' ? condition.of.flatMap(expected) : []
}

function lateness(trace: TraceIndex, condition: Eventually): Late | undefined {
  const after = momentOf(trace, condition.after)
  const outcome = judgeEventually(trace, condition)
  const line = outcome.state === 'held' ? outcome.lines.at(-1) : undefined
  const frames = trace.channels.get(condition.channel)?.frames
  const frame = line === undefined ? undefined : frames?.[placeAfter(frames, line - 1)]
  if (after === undefined || frame === undefined || frame.t - after.t <= condition.within) return undefined
  return { ms: frame.t - after.t, frame }
}
