import type { Arrivals } from '../../../load/core/arrivals.ts'
import type { LoadReport, ObjectiveResult, TimelineWindow } from '../load-report.ts'
import { iterationsASecond } from './throughput.ts'
import { WINDOW_S } from './timeline.ts'

/** More errors than this share of what began are no accident of a single request. */
const MANY = 0.05

/**
 * From when on, and at which rate, there were errors or an objective was missed, one sentence each. Only where the rate
 * changes: who lets it climb wants to know how far it came.
 */
export function gaveWay(
  { timeline, objectives }: Pick<LoadReport, 'timeline' | 'objectives'>,
  { start_rate, stages }: Arrivals,
): readonly string[] {
  if (stages.every(({ rate }) => rate === start_rate)) return []
  return [
    ...from(timeline, 'errors began', ({ errors, iterations }) => errors > MANY * Math.max(1, iterations)),
    ...objectives.flatMap((one) => (one.holds ? [] : missedFrom(timeline, one))),
  ]
}

function missedFrom(timeline: readonly TimelineWindow[], { name, operation, bound }: ObjectiveResult) {
  const share = (['p50_ms', 'p95_ms', 'p99_ms'] as const).find((one) => one === name)
  if (share === undefined || operation === null) return []
  const key = share.replace('_ms', '') as 'p50' | 'p95' | 'p99'
  const beyond = ({ latencies }: TimelineWindow): boolean => (latencies[operation]?.[key] ?? 0) > bound
  return from(timeline, `${operation} ${key} went beyond ${bound} ms`, beyond)
}

function from(timeline: readonly TimelineWindow[], what: string, is: (window: TimelineWindow) => boolean): string[] {
  const first = timeline.find(is)
  if (first === undefined) return []
  const rate = Number((first.iterations / WINDOW_S).toPrecision(2))
  return [`${what} ${first.at_s.toFixed(0)} s after the start, when ${iterationsASecond(rate)} began`]
}
