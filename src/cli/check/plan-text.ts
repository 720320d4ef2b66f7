import { costByPart, costOf, typicalOf } from '#scenario/plan/plan'
import type { Scenario } from '#scenario/author/scenario'
import type { Skipped } from '#scenario/plan/selection'
import type { CheckPlan } from './plan-check.ts'

/** The plan and its price, for `--dry-run`. */
export function planText({ selected, skipped, run }: CheckPlan): string {
  const cost = costOf(selected, run.profile)
  const sessions = Object.entries(cost.sessions).map(([key, count]) => `${count} on ${key}`)
  return [
    ...selected.map(scenarioLine),
    '',
    ...partTable(selected),
    '',
    `${selected.length} ${selected.length === 1 ? 'scenario' : 'scenarios'}, tier ${run.tier}; at most, by key:`,
    ...Object.entries(cost.by_key).map(([key, count]) => row(key, count)),
    `  sessions open at once: ${sessions.join(', ') || 'none'}`,
    `  about ${cost.minutes} minutes at the pace that the profile allows`,
    ...leftOut(skipped),
    '',
  ].join('\n')
}

function scenarioLine({ id, price }: Scenario): string {
  const waits = price.waits === undefined ? '' : `, waits ${price.waits} s`
  return `${id}  ${typicalOf(price)} requests${waits}`
}

/** What each part takes on a healthy target, and what it may take on a slow or crowded one. */
function partTable(selected: readonly Scenario[]): readonly string[] {
  const parts = costByPart(selected)
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

function leftOut(skipped: readonly Skipped[]): readonly string[] {
  const left = skipped.filter(({ why }) => why !== 'only')
  const reasons = Map.groupBy(left, ({ why, what }) =>
    (what === undefined ? why : `${why} ${what}`).replaceAll('_', ' '),
  )
  return [...reasons].map(
    ([reason, all]) => `not run: ${all.length} ${all.length === 1 ? 'scenario' : 'scenarios'} (${reason})`,
  )
}
