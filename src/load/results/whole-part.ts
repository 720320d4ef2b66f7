import { buckets, type LoadPart, merge } from '../../../load/core/summary.ts'
import { validate } from '#spec/validators'
import type { EndedProcess } from '../k6/run-all.ts'
import { segmentTrouble } from '../k6/segments.ts'

/** The parts of a run as one. */
export interface WholePart {
  readonly part: LoadPart
  /** Processes that left no result, in words: their numbers are what they said while they ran. */
  readonly lost: readonly string[]
}

/** What is the same in all parts of a run, and known before it. */
export type PartFacts = Omit<LoadPart, 'segments' | 'parts' | 'duration_ms' | 'dropped' | 'tallies' | 'iterations'>

/** Joins what the processes of a run left. @param elapsed_ms of the run, for processes that left nothing */
export function wholePart(processes: readonly EndedProcess[], facts: PartFacts, elapsed_ms: number): WholePart {
  const found = processes.map((process) => ({ process, part: isPart(process.part) ? process.part : undefined }))
  const iterations = found.find(({ part }) => part !== undefined)?.part?.iterations ?? {}
  const parts = found.map(({ process, part }) =>
    part === undefined ? rescued(process, { ...facts, iterations }, elapsed_ms) : withNumbers(part, process),
  )
  const lost = found.flatMap(({ process, part }, place) =>
    part === undefined
      ? [`k6 process ${place + 1} of ${processes.length} ended with ${endOf(process)} and left no result`]
      : [],
  )
  const [first] = parts
  if (first !== undefined) return { part: merge(parts), lost }
  const nothing = { ...facts, iterations: {}, segments: [], parts: 0, duration_ms: 0, dropped: {}, tallies: {} }
  return { part: nothing, lost }
}

export function isPart(value: unknown): value is LoadPart {
  return validate('meta/load-part', value).length === 0
}

/** What k6 did not get, the process said while it ran. */
function withNumbers(part: LoadPart, { said }: EndedProcess): LoadPart {
  const tallies = Object.entries(part.tallies).map(([scenario, own]) => [scenario, { ...said.get(scenario), ...own }])
  return { ...part, tallies: Object.fromEntries(tallies) }
}

function rescued(
  { segment, said }: EndedProcess,
  facts: PartFacts & Pick<LoadPart, 'iterations'>,
  elapsed_ms: number,
): LoadPart {
  const tallies = Object.fromEntries(said)
  return { ...facts, segments: [segment], parts: 1, duration_ms: elapsed_ms, dropped: {}, tallies }
}

const endOf = ({ code }: EndedProcess): string => (code === null ? 'a signal' : `code ${code}`)

/**
 * Joins part files of one run, from however many machines.
 *
 * @throws Error in words, when they don't belong together or one is missing
 */
export function mergeParts(parts: readonly LoadPart[]): LoadPart {
  const merged = merge(parts)
  if (JSON.stringify(merged.buckets) !== JSON.stringify(buckets))
    throw new Error('another version of Greenroom wrote them, with other histogram buckets: merge them with that one')
  const trouble = segmentTrouble(merged.segments)
  if (trouble !== undefined) throw new Error(`the parts are not the whole run: ${trouble}`)
  const more = Object.entries(merged.iterations).find(([scenario, all]) => seenOf(merged, scenario) > all)
  if (more !== undefined)
    throw new Error(
      `they hold ${seenOf(merged, more[0])} iterations of ${more[0]}, and a run of theirs has ${more[1]}: some are of another try`,
    )
  return merged
}

/** Iterations that began or found no free user: k6 gives each of the schedule to one process. */
function seenOf({ tallies, dropped }: LoadPart, scenario: string): number {
  return (tallies[scenario]?.['iterations']?.['begun'] ?? 0) + (dropped[scenario] ?? 0)
}
