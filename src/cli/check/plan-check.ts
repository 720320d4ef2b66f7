import { requirements } from '#spec/register'
import { loadScenarios } from '#scenario/plan/catalogue'
import { costByPart } from '#scenario/plan/plan'
import { planRun, type RunPlan } from '#scenario/plan/run-plan'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import type { Scenario } from '#scenario/author/scenario'
import { select, type Selection, UnknownSelection } from '#scenario/plan/selection'
import type { CheckOptions } from '../commands/check.ts'
import { usage } from '../stop.ts'
import type { Subject } from './subject.ts'

export interface CheckPlan extends Selection {
  readonly run: RunPlan
}

/** Decides what a run does. @throws Stop (2) for an id that there isn't */
export async function planCheck({ profile, environment }: Subject, options: CheckOptions): Promise<CheckPlan> {
  const { tier, only, seed, maxRequests } = options
  const scenarios = await loadScenarios()
  const keys = presentKeys(readSecrets(profile, environment))
  try {
    const selection = select({ scenarios, profile, keys, tier, only, requirements: [...requirements.keys()] })
    const { selected } = selection
    const max_requests = Math.min(maxRequests ?? Infinity, only.length === 0 ? mostOfAll(selected) : Infinity)
    const bounds = Number.isFinite(max_requests) ? { max_requests } : {}
    return { ...selection, run: planRun({ profile, tier, only, selected, seed, ...bounds }) }
  } catch (error) {
    if (error instanceof UnknownSelection) throw usage(`--only: ${error.message}`)
    throw error
  }
}

/** A whole run keeps to what `--dry-run` foretells, whatever the target does; what is left for one row has little to spare. */
function mostOfAll(selected: readonly Scenario[]): number {
  return costByPart(selected).reduce((sum, { most }) => sum + most, 0)
}
