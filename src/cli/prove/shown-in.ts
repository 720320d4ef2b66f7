import { collectFindings } from '#judge/findings'
import { register } from '#judge/register'
import type { Rule } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import type { Entry } from '#trace/entry'
import type { Job } from './job.ts'

/** All scenarios in which the requirement of a job was broken, by claims or by rules. `results.json` names but ten. */
export function shownIn({ requirement }: Job, entries: readonly Entry[], rules: readonly Rule[]): readonly string[] {
  if (requirement === undefined) return []
  const { rows } = register()
  const { breaches = [] } =
    collectFindings(indexTrace(entries), rules, (id) => rows.has(id)).rows.get(requirement) ?? {}
  const scenarios = breaches.flatMap(
    ({ scenario, lines }) => scenario ?? lines.map((line) => ownerOf(entries[line - 1])),
  )
  return [...new Set(scenarios)].filter((one) => one !== undefined).toSorted()
}

function ownerOf(entry: Entry | undefined): string | undefined {
  return entry !== undefined && 'scenario' in entry ? entry.scenario : undefined
}
