import type { TraceIndex } from '#judge/trace-index'
import { quantile, type Timing, timingsOf } from './timings.ts'

/** What one operation or event took in one run, in milliseconds. */
export interface Latency {
  readonly count: number
  readonly p50_ms: number
  readonly p95_ms: number
  readonly max_ms: number
}

/** How long an operation or event took in two runs that both have it. Told, and never a failure. */
export interface LatencyChange {
  readonly what: string
  readonly before: Latency
  readonly after: Latency
}

/** All operations and events that both runs timed, those first of which the p95 grew the most. */
export function latencyDifference(before: TraceIndex, after: TraceIndex): readonly LatencyChange[] {
  const [earlier, later] = [latenciesIn(before), latenciesIn(after)]
  const both = [...later].flatMap(([what, latency]) => {
    const was = earlier.get(what)
    return was === undefined ? [] : [{ what, before: was, after: latency }]
  })
  const growth = (one: LatencyChange): number => one.after.p95_ms - one.before.p95_ms
  return both.toSorted((one, other) => growth(other) - growth(one))
}

/** By operation and event. */
export function latenciesIn(index: TraceIndex): ReadonlyMap<string, Latency> {
  const { rest, events } = timingsOf(index)
  return new Map([...rest, ...events].map(([what, timings]) => [what, latencyOf(timings)]))
}

function latencyOf(timings: readonly Timing[]): Latency {
  const sorted = timings.toSorted((one, other) => one.ms - other.ms)
  const [p50_ms = 0, p95_ms = 0, max_ms = 0] = [0.5, 0.95, 1].map(
    (share) => Math.round(quantile(sorted, share) * 10) / 10,
  )
  return { count: sorted.length, p50_ms, p95_ms, max_ms }
}
