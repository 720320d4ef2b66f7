import { partOf } from '#spec/part-of'
import { register } from '#judge/register'
import { type RequirementResult, type Results, type Verdict, verdicts } from '#judge/results'

/** What reports for people count: the verdicts, and apart from what a run did not judge what no client can. */
export const columns = ['pass', 'fail', 'warn', 'inconclusive', 'untestable', 'not_applicable', 'waived'] as const

export type Column = (typeof columns)[number]

export type Counts = { [column in Column]: number }

/** Requirements by part and column, parts in the order of the results. An unknown verdict throws: it is never green. */
export function countByPart(results: Results): ReadonlyMap<string, Counts> {
  const parts = new Map<string, Counts>()
  for (const row of results.requirements) {
    const part = partOf(row.id)
    const counts = parts.get(part) ?? noCounts()
    counts[columnOf(row)] += 1
    parts.set(part, counts)
  }
  return parts
}

/** All requirements by column, counted from the rows themselves. */
export function countAll(results: Results): Counts {
  const total = noCounts()
  for (const counts of countByPart(results).values()) for (const column of columns) total[column] += counts[column]
  return total
}

/** As `results.json` counts: by verdict alone. */
export function countVerdicts(results: Results): { readonly [verdict in Verdict]: number } {
  const { untestable, ...counts } = countAll(results)
  return { ...counts, inconclusive: counts.inconclusive + untestable }
}

/** No client can judge it, whatever its profile gives: the register says so. */
export function isUntestable({ id, verdict }: Pick<RequirementResult, 'id' | 'verdict'>): boolean {
  return verdict === 'inconclusive' && register().rows.get(id)?.standing === 'untestable'
}

function columnOf(row: RequirementResult): Column {
  return isUntestable(row) ? 'untestable' : known(row.verdict)
}

/** @throws for a verdict outside the closed set */
export function known(verdict: Verdict): Verdict {
  if (!verdicts.includes(verdict)) throw new Error(`unknown verdict ${JSON.stringify(verdict)}`)
  return verdict
}

function noCounts(): Counts {
  return { pass: 0, fail: 0, warn: 0, inconclusive: 0, untestable: 0, not_applicable: 0, waived: 0 }
}
