import type { EachTime, RowFindings } from '../findings.ts'

/** What speaks against a row only where it comes each time, and why it may have come by accident. */
interface MayBeAccident {
  readonly why: string
  readonly failure: EachTime
}

export function accidentsOf({ open }: RowFindings): readonly MayBeAccident[] {
  return open.flatMap(({ why, eachTime }) => (eachTime === undefined ? [] : [{ why, failure: eachTime }]))
}

/**
 * How often what may come by accident does so in a run, as a share and by what it is. It shows in rows that were borne out
 * at other times: there it was an accident.
 */
export function accidentRates(rows: Iterable<RowFindings>): ReadonlyMap<string, number> {
  const tallies = new Map<string, { accidents: number; all: number }>()
  for (const row of rows) {
    if (row.held === 0) continue
    for (const [why, all] of Map.groupBy(accidentsOf(row), (one) => one.why)) {
      const tally = tallies.get(why) ?? { accidents: 0, all: 0 }
      tallies.set(why, tally)
      const accidents = countAccidents(all.map(({ failure }) => failure))
      tally.accidents += accidents
      tally.all += accidents + row.held
    }
  }
  return new Map([...tallies].map(([why, { accidents, all }]) => [why, accidents / all]))
}

/** How many failures there were: what was seen of a scenario in the same stretch of the trace may all come of one. */
export function countAccidents(failures: readonly EachTime[]): number {
  let count = 0
  for (const inScenario of Map.groupBy(failures, ({ scenario }) => scenario).values()) {
    let until = -1
    let most = 0
    for (const { lines, times } of inScenario.toSorted(
      (one, other) => Math.min(...one.lines) - Math.min(...other.lines),
    )) {
      const isAnother = Math.min(...lines) > until
      count += isAnother ? times : Math.max(0, times - most)
      most = isAnother ? times : Math.max(most, times)
      until = Math.max(until, ...lines)
    }
  }
  return count
}
