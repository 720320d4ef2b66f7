import { outlayOf } from '#scenario/plan/outlay'
import { costByPart, costOf, expectedOf, spareOfFew } from '#scenario/plan/plan'
import type { Scenario } from '#scenario/author/scenario'
import type { LeftOut, Skipped } from '#scenario/plan/selection'
import type { Profile } from '#spec/profile'
import { printable } from '#text/printable'
import { isRequirementId, requirements } from '#spec/register'
import { didYouMean } from '../did-you-mean.ts'
import { inWords } from './gate.ts'
import type { CheckPlan } from './plan-check.ts'

/** The plan and its price, for `--dry-run`. */
export function planText({ selected, skipped, run, left_out = {} }: CheckPlan): string {
  const cost = costOf(selected, run.profile, left_out)
  const sessions = Object.entries(cost.sessions).map(([key, count]) => `${count} on ${key}`)
  return [
    ...selected.map((one) => scenarioLine(one, left_out)),
    '',
    ...partTable(selected, run.profile, left_out),
    '',
    `${selected.length} ${selected.length === 1 ? 'scenario' : 'scenarios'}, tier ${run.tier}; at most, by key:`,
    ...Object.entries(cost.by_key).map(([key, count]) => row(key, count)),
    ...(run.only.length === 0
      ? []
      : [`  up to ${spareOfFew} more in all where requests fail and what they disturbed is driven again`]),
    `  sessions open at once: ${sessions.join(', ') || 'none'}`,
    `  ${duration(outlayOf(selected, left_out, run.profile).seconds, cost.minutes * 60)} at the pace that the profile allows`,
    ...leftOut(skipped),
    ...unknownWaivers(run.profile),
    '',
  ].join('\n')
}

/** Where the slowest key decides, what is late or crowded costs further minutes. */
function duration(typical: number, most: number): string {
  const about = `about ${inWords(typical)}`
  return most <= typical ? about : `${about}, and up to ${inWords(Math.ceil(most))} where much is asked again,`
}

function scenarioLine(one: Scenario, left_out: LeftOut): string {
  const { id, price } = one
  const waits = price.waits === undefined ? '' : `, waits ${price.waits} s`
  return `${id}  ${expectedOf(one, left_out)} requests${waits}`
}

/** What each part takes on a healthy target, and what it may take on a slow or crowded one. */
function partTable(selected: readonly Scenario[], profile: Profile, left_out: LeftOut): readonly string[] {
  const parts = costByPart(selected, profile, left_out)
  const all = { part: 'all parts', typical: 0, most: 0 }
  for (const { typical, most } of parts) {
    all.typical += typical
    all.most += most
  }
  return [
    `  ${'REST requests'.padEnd(22)} ${'expected'.padStart(9)} ${'at most'.padStart(9)}`,
    ...[...parts, all].map(({ part, typical, most }) => row(part, typical, most)),
  ]
}

const row = (name: string, ...counts: readonly number[]): string =>
  `  ${name.padEnd(22)} ${counts.map((count) => String(count).padStart(9)).join(' ')}`

/** What a run would end with 1 for is told before anything is sent. */
function unknownWaivers({ expected_failures = [] }: Profile): readonly string[] {
  const ids = [...requirements.keys()]
  return expected_failures
    .filter(({ id }) => !isRequirementId(id))
    .map(
      ({ id }) =>
        `unknown: expected_failures names ${printable(id)}, and there is no such requirement${didYouMean(id, ids)}`,
    )
}

function leftOut(skipped: readonly Skipped[]): readonly string[] {
  const left = skipped.filter(({ why }) => why !== 'only')
  const reasons = Map.groupBy(left, ({ why, what }) => reasonsToSkip[why]?.(what ?? '') ?? why)
  return [...reasons].map(
    ([reason, all]) => `not run: ${all.length} ${all.length === 1 ? 'scenario' : 'scenarios'}, since ${reason}`,
  )
}

const reasonsToSkip: { readonly [why in Skipped['why']]?: (what: string) => string } = {
  not_applicable: (ability) => `the profile says that ${ability} is not offered`,
  tier(what) {
    // A gate names its own options where a tier would stand.
    if (what.startsWith('--changed')) return `${what} does not concern them`
    if (what.startsWith('--skip')) return `${what} says so`
    return what.startsWith('--') ? `${what} leaves no room` : `only a larger tier runs it (--tier ${what})`
  },
  missing_key: (key) => `the profile gives no key ${key}`,
  missing_trigger: (trigger) => `the profile gives no trigger ${trigger}`,
  missing_media: (medium) => `the profile gives no medium ${medium}`,
}
