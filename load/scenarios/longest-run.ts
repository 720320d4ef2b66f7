import { HANDSHAKE_MS, longest, type Workload } from '../workloads.ts'
import type { Scenario } from './scenario.ts'

/** How long one iteration of a scenario may take, in milliseconds: some laws take longer than a workload is patient. */
export function iterationMs({ arrival }: Pick<Scenario, 'arrival'>, { iteration_ms }: Workload): number {
  return arrival.kind === 'together' ? Math.max(iteration_ms, arrival.iteration_ms ?? 0) : iteration_ms
}

/** The longest that a run of these scenarios lasts, in milliseconds. */
export function longestRun(scenarios: readonly Scenario[], workload: Workload): number {
  const each = scenarios.map((scenario) => {
    const { arrival } = scenario
    if (arrival.kind === 'rate') return longest(workload)
    // Its users begin at once, whatever the schedule of the workload.
    return arrival.iterations(workload) * iterationMs(scenario, workload) + HANDSHAKE_MS
  })
  return Math.max(0, ...each)
}
