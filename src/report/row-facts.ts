import type { RequirementResult, Results } from '#judge/results'
import type { TraceIndex } from '#judge/trace-index'
import { type Waiver, waivedRows } from './waivers.ts'

/** What reports of single requirements say beside the verdict. */
export interface RowFacts {
  /** The sentence of a requirement, where the register has one. */
  readonly text?: (requirement: string) => string | undefined
  /** Milliseconds that the longest of a row's scenarios took; 0 where none ran. */
  readonly durationOf?: DurationOf
}

type DurationOf = (row: RequirementResult) => number

/** How long the scenarios of a row took, by the trace. A row is judged by all of them, so the longest counts. */
export function durationsIn({ scenarios }: TraceIndex, entryTime: (line: number) => number): DurationOf {
  const took = new Map(
    [...scenarios.values()].map(({ scenario, start, end }) => [
      scenario,
      end === undefined ? 0 : Math.round(end.entry.t - entryTime(start)),
    ]),
  )
  return ({ scenarios: own }) => Math.max(0, ...own.map((id) => took.get(id) ?? 0))
}

/** The waivers of a run's waived rows. */
export function waiversById(results: Results): ReadonlyMap<string, Waiver> {
  return new Map(waivedRows(results).map(({ id, waiver }) => [id, waiver]))
}
