import type { TraceWriter } from '#trace/writer'
import { Blocked } from '../author/blocked.ts'
import { sessionEnded } from './disturbance.ts'
import type { Obstacle, ScenarioOutcome } from './outcome.ts'
import { blocked, interrupted, outcomeOf } from './outcome.ts'
import type { Scenario } from '../author/scenario.ts'
import type { ScenarioRun } from './scenario-run.ts'

export interface RunScenarioTools {
  readonly trace: Pick<TraceWriter, 'write'>
  readonly startScenario: (scenario: string) => ScenarioRun
  readonly signal: AbortSignal
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string
  /** Wall-clock bound of one scenario, beyond its own waits; default ten minutes. */
  readonly limit_ms?: number
}

/**
 * Drives one scenario from its first entry to its last, and cleans up after it.
 *
 * @throws TraceWriteError; whatever else goes wrong is in the outcome
 */
export async function runScenario(scenario: Scenario, tools: RunScenarioTools): Promise<ScenarioOutcome> {
  tools.trace.write({ kind: 'scenario-start', scenario: scenario.id })
  const scenarioRun = tools.startScenario(scenario.id)
  const driven = await attempt(scenario, tools, () => inTime(scenario, tools, scenarioRun))
  const met = scenarioRun.troubles()
  const left = await attempt(scenario, tools, () => scenarioRun.end())
  // What stopped the cleanup tells more than the scenario only where it is a mistake of ours.
  const outcome = end(tools, left.outcome === 'failed' && driven.outcome !== 'failed' ? left : driven)
  // Our own closing of what was open brings no trouble; what it finds out of sessions does.
  const found = scenarioRun.troubles().filter((one) => one === sessionEnded)
  const troubles = [...new Set([...met, ...found])]
  return troubles.length === 0 ? outcome : { ...outcome, troubles }
}

/** Records a scenario that is not started. */
export function refuse(
  scenario: Scenario,
  tools: Pick<RunScenarioTools, 'trace' | 'redact'>,
  obstacle?: Obstacle,
): ScenarioOutcome {
  tools.trace.write({ kind: 'scenario-start', scenario: scenario.id })
  return end(tools, obstacle === undefined ? interrupted(scenario.id) : blocked(scenario.id, obstacle))
}

async function attempt(
  { id }: Scenario,
  tools: RunScenarioTools,
  action: () => Promise<void>,
): Promise<ScenarioOutcome> {
  try {
    await action()
    return tools.signal.aborted ? interrupted(id) : { scenario: id, outcome: 'completed' }
  } catch (error) {
    return outcomeOf(id, error, tools.signal)
  }
}

/** Every call has its own deadline; this one is for scenarios that never stop calling. */
async function inTime(scenario: Scenario, tools: RunScenarioTools, scenarioRun: ScenarioRun): Promise<void> {
  const limit_ms = (tools.limit_ms ?? 600_000) + (scenario.price.waits ?? 0) * 2_000
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Blocked('budget', `the scenario took longer than ${Math.round(limit_ms / 1000)} s`))
  }, limit_ms)
  try {
    await Promise.race([scenario.drive(scenarioRun.context), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function end({ trace, redact }: Pick<RunScenarioTools, 'trace' | 'redact'>, ended: ScenarioOutcome): ScenarioOutcome {
  const outcome = ended.reason === undefined ? ended : { ...ended, reason: redact(ended.reason) }
  const { scenario } = outcome
  if (outcome.outcome === 'failed') trace.write({ kind: 'harness-error', scenario, message: outcome.reason ?? '' })
  trace.write({ kind: 'scenario-end', ...outcome })
  return outcome
}
