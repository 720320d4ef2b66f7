import { collectFindings } from '#judge/findings'
import { register } from '#judge/register'
import type { Rule } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import { type Entry, scenarioOf } from '#trace/entry'
import type { Job } from './job.ts'

/**
 * All scenarios in which the requirement of a job was broken, by claims or by rules; `results.json` names but ten. What
 * takes the exchanges of two scenarios to show is shown by neither of them.
 */
export function shownIn({ requirement }: Job, entries: readonly Entry[], rules: readonly Rule[]): readonly string[] {
  if (requirement === undefined) return []
  const { rows } = register()
  const { breaches = [] } =
    collectFindings(indexTrace(entries), rules, (id) => rows.has(id)).rows.get(requirement) ?? {}
  const scenarios = breaches.flatMap(({ scenario, lines }) => {
    const owners = new Set(lines.flatMap((line) => scenarioOf(entries[line - 1]) ?? []))
    return owners.size > 1 ? [] : [scenario ?? [...owners][0]]
  })
  return [...new Set(scenarios)].filter((one) => one !== undefined).toSorted()
}
