import type { Profile } from '#spec/profile'
import type { AssembleOptions } from '../runner/assemble.ts'
import { assemble } from '../runner/assemble.ts'
import type { Executor } from '../runner/executor.ts'
import type { Journal } from '../journal/journal.ts'
import { costOf, spareOfFew } from '../plan/plan.ts'
import type { OpenRun } from './run-open.ts'
import type { Scenario } from '../author/scenario.ts'

export interface ScenarioRunOptions extends Pick<AssembleOptions, 'signal' | 'enough' | 'onStart' | 'onEnd'> {
  readonly open: OpenRun
  readonly journal: Journal
  /** All that there are; the plan says which of them run. */
  readonly scenarios: readonly Scenario[]
}

/** The executor of a planned run. @throws when the plan names a scenario that there isn't */
export function executorOf({ open, journal, scenarios, ...hooks }: ScenarioRunOptions): Executor {
  const { plan, keys, trace, client, recent, redact } = open
  const { run, seed, tier, profile, at_once, left_out } = plan
  const planned = plan.scenarios.map((id) => {
    const scenario = scenarios.find((one) => one.id === id)
    if (scenario === undefined) throw new Error(`the plan names the scenario ${id}, which there isn't`)
    return scenario
  })
  const most = costOf(planned, profile).requests + (plan.only.length === 0 ? 0 : spareOfFew)
  return assemble({
    ...hooks,
    scenarios: planned,
    run_ms: Math.min(plan.run_ms ?? Infinity, limitOf(planned, profile)),
    foretold: { sent: () => client.traffic().rest_requests, most },
    run,
    seed,
    tier,
    profile,
    keys,
    client,
    recent,
    trace,
    redact,
    journal,
    ...(at_once === undefined ? {} : { at_once }),
    ...(left_out === undefined ? {} : { left_out }),
  })
}

const shortestLimit_minutes = 20

/** Far beyond what the scenarios need on a slow target, so that a run ends whatever the target does. */
function limitOf(scenarios: readonly Scenario[], profile: Profile): number {
  return Math.max(shortestLimit_minutes, 3 * costOf(scenarios, profile).minutes) * 60_000
}
