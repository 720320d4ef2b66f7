import { createBreaker } from './breaker.ts'
import { watchFactor } from '#judge/timing/timeouts'
import { timeoutsFor } from '#spec/profile'
import type { RunScenarioTools } from './run-scenario.ts'
import { runScenario, refuse } from './run-scenario.ts'
import type { Executor } from './executor.ts'
import { createExecutor } from './executor.ts'
import { createLeftovers } from '../cleanup/leftovers.ts'
import type { ScenarioOutcome } from './outcome.ts'
import { sideBySide, typicalOf } from '../plan/plan.ts'
import type { Scenario } from '../author/scenario.ts'
import { createFailedAlone } from './disturbance.ts'
import { createEndings } from './endings.ts'
import { createSlots } from './slots.ts'
import type { RunTools } from './scenario-run.ts'
import { startScenario } from './scenario-run.ts'

export interface AssembleOptions
  extends Omit<
      RunTools,
      'slots' | 'breaker' | 'endings' | 'failedAlone' | 'leftovers' | 'count' | 'silences' | 'walked'
    >,
    Pick<RunScenarioTools, 'trace' | 'redact' | 'limit_ms'> {
  readonly scenarios: readonly Scenario[]
  /** Scenarios side by side, beside long ones. */
  readonly at_once?: number
  /** Milliseconds after which nothing more is started. */
  readonly run_ms?: number
  /** REST requests of the run so far, and the most that it is to send: a scenario is driven again only within it. */
  readonly foretold?: { readonly sent: () => number; readonly most: number }
  readonly onStart?: (scenario: Scenario) => void
  readonly onEnd?: (outcome: ScenarioOutcome) => void
}

/** Puts together what runs the scenarios of one run. */
export function assemble(options: AssembleOptions): Executor {
  let number = 0
  const slots = createSlots(options.profile)
  const tools: RunTools = {
    ...options,
    slots,
    breaker: createBreaker(slots),
    endings: createEndings(watchFactor * timeoutsFor(options.profile).closed_ms),
    failedAlone: createFailedAlone(),
    silences: new Map(),
    walked: new Map(),
    leftovers: createLeftovers(),
    count: () => (number += 1),
  }
  const runTools: RunScenarioTools = { ...options, startScenario: (scenario) => startScenario(scenario, tools) }
  const ended = (outcome: ScenarioOutcome): ScenarioOutcome => {
    options.onEnd?.(outcome)
    return outcome
  }
  const { scenarios, signal, enough, at_once, run_ms, foretold, client } = options
  /** Not driven yet, or to be driven again. */
  const ahead = new Set(scenarios)
  let begun = 0
  /** Others cost as much more than foretold as what was begun before: where requests fail, each is sent more than once. */
  const affords = (scenario: Scenario): boolean => {
    if (foretold === undefined) return true
    const sent = foretold.sent()
    const dearer = begun === 0 ? 1 : Math.max(1, sent / begun)
    const others = [...ahead].reduce((sum, { price }) => sum + typicalOf(price), 0)
    return sent + typicalOf(scenario.price) + dearer * others <= foretold.most
  }
  const again = (scenario: Scenario): boolean => affords(scenario) && ahead.add(scenario).has(scenario)
  return createExecutor({
    scenarios,
    signal,
    ...(enough && { enough }),
    at_once: at_once ?? sideBySide(options.profile),
    ...(run_ms === undefined ? {} : { limit_ms: run_ms }),
    slots: tools.slots,
    breaker: tools.breaker,
    runScenario: async (scenario) => {
      options.onStart?.(scenario)
      ahead.delete(scenario)
      begun += typicalOf(scenario.price)
      return ended(await runScenario(scenario, runTools))
    },
    strayed: (key) => client.usage(key, 0).strayed,
    // What lasted will be there the second time, too, and so will the silence of a target that rarely replies.
    again: (scenario, { troubles = [] }) =>
      !client.rarelyReplies() && !troubles.some((one) => client.lasts(one)) && again(scenario),
    refuse: (scenario, obstacle) => {
      ahead.delete(scenario)
      return ended(refuse(scenario, runTools, obstacle))
    },
  })
}
