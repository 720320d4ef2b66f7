import { requirements } from '../../law/register.ts'
import { loadScenarios } from '../../scenario/catalogue.ts'
import { costOf } from '../../scenario/plan.ts'
import { planRun, type RunPlan } from '../../scenario/run-plan.ts'
import { presentKeys, readSecrets } from '../../scenario/run-secrets.ts'
import { select, type Selection, UnknownSelection } from '../../scenario/selection.ts'
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
    const bounds = maxRequests === undefined ? {} : { max_requests: maxRequests }
    return { ...selection, run: planRun({ profile, tier, only, selected: selection.selected, seed, ...bounds }) }
  } catch (error) {
    if (error instanceof UnknownSelection) throw usage(`--only: ${error.message}`)
    throw error
  }
}

/** The plan and its price, for `--dry-run`. */
export function planText({ selected, skipped, run }: CheckPlan): string {
  const cost = costOf(selected, run.profile)
  const byKey = Object.entries(cost.by_key).map(
    ([key, count]) => `  ${key.padEnd(22)} ${String(count).padStart(5)} requests`,
  )
  const sessions = Object.entries(cost.sessions).map(([key, count]) => `${count} on ${key}`)
  const left = skipped.filter(({ why }) => why !== 'only')
  const reasons = Map.groupBy(left, ({ why, what }) =>
    (what === undefined ? why : `${why} ${what}`).replaceAll('_', ' '),
  )
  return [
    ...selected.map(
      ({ id, price }) =>
        `${id}  ${sum(price.requests)} requests${price.waits === undefined ? '' : `, waits ${price.waits} s`}`,
    ),
    '',
    `${selected.length} scenarios, tier ${run.tier}; at most, on a healthy target:`,
    `  ${'all keys'.padEnd(22)} ${String(cost.requests).padStart(5)} requests`,
    ...byKey,
    `  sessions open at once: ${sessions.join(', ') || 'none'}`,
    `  about ${cost.minutes} minutes at the pace that the profile allows`,
    ...[...reasons].map(
      ([reason, all]) => `not run: ${all.length} ${all.length === 1 ? 'scenario' : 'scenarios'} (${reason})`,
    ),
    '',
  ].join('\n')
}

function sum(requests: { readonly [key: string]: number }): number {
  return Object.values(requests).reduce((total, count) => total + count, 0)
}
