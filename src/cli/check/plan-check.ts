import { requirements } from '#spec/register'
import { loadScenarios } from '#scenario/plan/catalogue'
import { costByPart } from '#scenario/plan/plan'
import { planRun, type RunPlan } from '#scenario/plan/run-plan'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import type { Scenario } from '#scenario/author/scenario'
import { select, type Selection, UnknownSelection } from '#scenario/plan/selection'
import type { CheckOptions } from '../commands/check.ts'
import { usage } from '../stop.ts'
import { asksForGate, choiceSentence, gate, type GateOptions } from './gate.ts'
import type { Subject } from './subject.ts'

export interface CheckPlan extends Selection {
  /** What a gate chose, in a sentence; undefined where nobody asked for one. */
  readonly chosen?: string
  readonly run: RunPlan
}

/** What of the command line the plan depends on. */
type PlanOptions = Pick<CheckOptions, 'tier' | 'only' | 'seed' | 'maxRequests'> & GateOptions

/** Decides what a run does. @throws Stop (2) for an id that there isn't */
export async function planCheck({ profile, environment }: Subject, options: PlanOptions): Promise<CheckPlan> {
  const { tier, only, seed, maxRequests } = options
  const scenarios = await loadScenarios()
  const keys = presentKeys(readSecrets(profile, environment))
  try {
    const all = select({ scenarios, profile, keys, tier, only, requirements: [...requirements.keys()] })
    const gated = asksForGate(options) ? gate(all, profile, options) : undefined
    const selection: Selection = gated ?? all
    const { selected, left_out = {} } = selection
    const foretold = only.length === 0 ? mostOfAll(selected) : Infinity
    const max_requests = Math.min(maxRequests ?? Infinity, options.budget ?? Infinity, foretold)
    const bounds = {
      ...(Number.isFinite(max_requests) ? { max_requests } : {}),
      ...(options.within === undefined ? {} : { run_ms: options.within * 1_000 }),
    }
    const chosen = gated === undefined ? {} : { chosen: choiceSentence(gated.choice, options) }
    return { ...selection, ...chosen, run: planRun({ profile, tier, only, selected, left_out, seed, ...bounds }) }
  } catch (error) {
    if (error instanceof UnknownSelection) {
      const hint = error.suggestion === undefined ? '; "npx greenroom list" shows them, with --scenarios too' : ''
      throw usage(`--only: ${error.message}${hint}`)
    }
    throw error
  }
}

/** A whole run keeps to what `--dry-run` foretells, whatever the target does; what is left for one row has little to spare. */
function mostOfAll(selected: readonly Scenario[]): number {
  return costByPart(selected).reduce((sum, { most }) => sum + most, 0)
}
