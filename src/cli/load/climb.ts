import { areaUntil } from '../../../load/core/arrivals.ts'
import type { Lane } from '../../../load/core/plan.ts'
import { lanesOf } from '../../../load/scenarios/lanes.ts'
import type { Broke } from '#load/load-report'
import { brokeIn, type Terms } from '#load/results/broke'
import { fitting } from '#load/results/objectives'
import { type Timeline, WINDOW_S } from '#load/results/timeline'
import type { Subject } from '../check/subject.ts'
import { scopeOf } from './finish-load.ts'
import { needsLackOfCapacity, type LoadPlan } from './plan-load.ts'

/** How long after its end a window has been told by all users. */
const TOLD_S = 2

/** Whether the rate climbs until something gives, and refusals are not what is looked for. */
export function isClimb({ workloadName, scenarios }: Pick<LoadPlan, 'workloadName' | 'scenarios'>): boolean {
  return (
    workloadName === 'breakpoint' &&
    scenarios.every(
      ({ name, arrival, exceeds }) => arrival.kind === 'rate' && exceeds.length === 0 && name !== needsLackOfCapacity,
    )
  )
}

/** What all processes together are held to while the rate climbs. */
export class Climb {
  readonly #lanes: readonly Lane[]
  readonly #terms: Omit<Terms, 'due'>

  constructor(plan: LoadPlan, { profile }: Pick<Subject, 'profile'>) {
    const { weights: mix, scenarios, workload } = plan
    this.#lanes = lanesOf(scenarios, { ...plan, mix })
    const { latency = {} } = fitting(profile.objectives ?? {}, scopeOf(plan))
    this.#terms = { latency, lag_bound_ms: workload.lag_bound_ms }
  }

  /**
   * Where the target broke, as far as that can be told now.
   *
   * @param started the run, in milliseconds since 1970
   * @param first when the first iteration was heard of
   */
  brokeIn(timeline: Timeline, started: number, first: number): Broke | undefined {
    const now = Date.now() / 1_000
    const over = timeline.windows().filter(([at]) => at + WINDOW_S + TOLD_S <= now)
    const until = (at: number): number =>
      this.#lanes.reduce((sum, { arrivals }) => sum + areaUntil(arrivals, at - first / 1_000), 0)
    return brokeIn(over, started / 1_000, { ...this.#terms, due: (from, to) => until(to) - until(from) })
  }
}
