import type { ReasonCode, ScenarioEndEntry } from '#trace/entry'
import { Blocked } from '../author/blocked.ts'

/** How one scenario ended. */
export interface ScenarioOutcome {
  readonly scenario: string
  readonly outcome: ScenarioEndEntry['outcome']
  readonly reason_code?: ReasonCode
  readonly reason?: string
  /** What went wrong on the way meanwhile. */
  readonly troubles?: readonly string[]
}

/** What stands in the way of a scenario. */
export interface Obstacle {
  readonly code: ReasonCode
  readonly reason: string
}

/** Reads what a scenario threw. Whatever is neither a block nor the end of the run is a mistake of ours. */
export function outcomeOf(scenario: string, thrown: unknown, signal: AbortSignal): ScenarioOutcome {
  if (signal.aborted) return interrupted(scenario)
  if (thrown instanceof Blocked) return blocked(scenario, { code: thrown.code, reason: thrown.message })
  if (thrown instanceof Error && thrown.name === 'BudgetSpent') {
    return blocked(scenario, { code: 'budget', reason: thrown.message })
  }
  return { scenario, outcome: 'failed', reason: describe(thrown) }
}

export function blocked(scenario: string, { code, reason }: Obstacle): ScenarioOutcome {
  return { scenario, outcome: 'blocked', reason_code: code, reason }
}

export function interrupted(scenario: string): ScenarioOutcome {
  return { scenario, outcome: 'interrupted', reason_code: 'interrupted', reason: 'the run was interrupted' }
}

/** Message and the place in our own code, without the path of the machine. */
function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `thrown: ${typeof thrown}`
  const place = /(?:suites|src)\/[\w./-]+:\d+:\d+/.exec(thrown.stack ?? '')?.[0]
  return `${thrown.name}: ${thrown.message}${place === undefined ? '' : ` (${place})`}`
}

/** Why nothing more is begun or sent, once enough was seen. */
export function obstacleOf(enough: AbortSignal | undefined): Obstacle | undefined {
  return enough?.aborted === true ? { code: 'budget', reason: String(enough.reason) } : undefined
}
