import type { AssembleOptions } from './assemble.ts'
import { assemble } from './assemble.ts'
import type { Executor } from './executor.ts'
import type { Journal } from './journal.ts'
import type { OpenRun } from './run-open.ts'
import type { Scenario } from './scenario.ts'

export interface ScenarioRunOptions extends Pick<AssembleOptions, 'signal' | 'onStart' | 'onEnd'> {
  readonly open: OpenRun
  readonly journal: Journal
  /** All that there are; the plan says which of them run. */
  readonly scenarios: readonly Scenario[]
}

/** The executor of a planned run. @throws when the plan names a scenario that there isn't */
export function executorOf({ open, journal, scenarios, ...hooks }: ScenarioRunOptions): Executor {
  const { plan, keys, trace, client, redact } = open
  const { run, seed, tier, profile, at_once } = plan
  const planned = plan.scenarios.map((id) => {
    const scenario = scenarios.find((one) => one.id === id)
    if (scenario === undefined) throw new Error(`the plan names the scenario ${id}, which there isn't`)
    return scenario
  })
  return assemble({
    ...hooks,
    scenarios: planned,
    run,
    seed,
    tier,
    profile,
    keys,
    client,
    trace,
    redact,
    journal,
    ...(at_once === undefined ? {} : { at_once }),
  })
}
