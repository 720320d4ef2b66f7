import type { TraceWriter } from '#trace/writer'
import { Blocked } from '../author/blocked.ts'
import { sessionEnded } from './disturbance.ts'
import type { Obstacle, Outcome } from './outcome.ts'
import { blocked, interrupted, outcomeOf } from './outcome.ts'
import type { Scenario } from '../author/scenario.ts'
import type { Stage } from './stage.ts'

export interface ConductTools {
  readonly trace: Pick<TraceWriter, 'write'>
  readonly enter: (scenario: string) => Stage
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
export async function conduct(scenario: Scenario, tools: ConductTools): Promise<Outcome> {
  tools.trace.write({ kind: 'scenario-start', scenario: scenario.id })
  const stage = tools.enter(scenario.id)
  const driven = await attempt(scenario, tools, () => inTime(scenario, tools, stage))
  const met = stage.troubles()
  const left = await attempt(scenario, tools, () => stage.leave())
  // What stopped the cleanup tells more than the scenario only where it is a mistake of ours.
  const outcome = end(tools, left.outcome === 'failed' && driven.outcome !== 'failed' ? left : driven)
  // Our own closing of what was open brings no trouble; what it finds out of sessions does.
  const found = stage.troubles().filter((one) => one === sessionEnded)
  const troubles = [...new Set([...met, ...found])]
  return troubles.length === 0 ? outcome : { ...outcome, troubles }
}

/** Records a scenario that is not started. */
export function refuse(
  scenario: Scenario,
  tools: Pick<ConductTools, 'trace' | 'redact'>,
  obstacle?: Obstacle,
): Outcome {
  tools.trace.write({ kind: 'scenario-start', scenario: scenario.id })
  return end(tools, obstacle === undefined ? interrupted(scenario.id) : blocked(scenario.id, obstacle))
}

async function attempt({ id }: Scenario, tools: ConductTools, action: () => Promise<void>): Promise<Outcome> {
  try {
    await action()
    return tools.signal.aborted ? interrupted(id) : { scenario: id, outcome: 'completed' }
  } catch (error) {
    return outcomeOf(id, error, tools.signal)
  }
}

/** Every call has its own deadline; this one is for scenarios that never stop calling. */
async function inTime(scenario: Scenario, tools: ConductTools, stage: Stage): Promise<void> {
  const limit_ms = (tools.limit_ms ?? 600_000) + (scenario.price.waits ?? 0) * 2_000
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Blocked('budget', `the scenario took longer than ${Math.round(limit_ms / 1000)} s`))
  }, limit_ms)
  try {
    await Promise.race([scenario.drive(stage.context), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function end({ trace, redact }: Pick<ConductTools, 'trace' | 'redact'>, ended: Outcome): Outcome {
  const outcome = ended.reason === undefined ? ended : { ...ended, reason: redact(ended.reason) }
  const { scenario } = outcome
  if (outcome.outcome === 'failed') trace.write({ kind: 'harness-error', scenario, message: outcome.reason ?? '' })
  trace.write({ kind: 'scenario-end', ...outcome })
  return outcome
}
