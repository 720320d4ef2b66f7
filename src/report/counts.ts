import { type Results, type Verdict, verdicts } from '#judge/results'

export type Counts = { [verdict in Verdict]: number }

/** Requirements by part and verdict, parts in the order of the results. An unknown verdict throws: it is never green. */
export function countByPart(results: Results): ReadonlyMap<string, Counts> {
  const parts = new Map<string, Counts>()
  for (const { id, verdict } of results.requirements) {
    const part = partOf(id)
    const counts = parts.get(part) ?? noCounts()
    counts[known(verdict)] += 1
    parts.set(part, counts)
  }
  return parts
}

/** All requirements by verdict, counted from the rows themselves. */
export function countAll(results: Results): Counts {
  const total = noCounts()
  for (const counts of countByPart(results).values()) for (const verdict of verdicts) total[verdict] += counts[verdict]
  return total
}

export function partOf(id: string): string {
  return id.split('.', 1)[0] ?? id
}

/** @throws for a verdict outside the closed set */
export function known(verdict: Verdict): Verdict {
  if (!verdicts.includes(verdict)) throw new Error(`unknown verdict ${JSON.stringify(verdict)}`)
  return verdict
}

function noCounts(): Counts {
  return { pass: 0, fail: 0, warn: 0, inconclusive: 0, not_applicable: 0, waived: 0 }
}
