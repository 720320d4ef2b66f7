import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Results } from '#judge/results'
import { indexTrace, type TraceIndex } from '#judge/trace-index'
import { difference } from '#report/difference'
import { differenceSentence, differenceText } from '#report/difference-text'
import { readTrace, TraceFormatError } from '#trace/reader'
import { readResults } from '../read-results.ts'
import type { Shell } from '../shell.ts'
import { resultsFile } from './results-file.ts'

export interface DiffOptions {
  readonly json: boolean
}

/**
 * Prints what is different between the results of two runs; how long things took, too, where both traces stand beside them.
 *
 * @returns 1 where there are new failures, else 0
 * @throws Stop (2) where either is no results file
 */
export function diff(before: string, after: string, { json }: DiffOptions, shell: Shell): number {
  const [one, other] = [resultsFile(before), resultsFile(after)]
  const [earlier, later] = [readResults(one, one), readResults(other, other)]
  const traces = { before: traceBeside(one, earlier), after: traceBeside(other, later) }
  const pair =
    traces.before === undefined || traces.after === undefined
      ? undefined
      : { before: traces.before, after: traces.after }
  const found = difference(earlier, later, pair)
  shell.out(json ? `${JSON.stringify(found, undefined, 2)}\n` : differenceText(found))
  shell.err(`${differenceSentence(found)}\n`)
  return found.new_failures.length > 0 ? 1 : 0
}

/** The trace that these results were judged from, where it stands beside them. */
function traceBeside(file: string, { run }: Results): TraceIndex | undefined {
  const path = join(dirname(file), 'trace.ndjson')
  if (!existsSync(path)) return undefined
  try {
    const { entries, sha256 } = readTrace(path)
    return sha256 === run.trace ? indexTrace(entries) : undefined
  } catch (error) {
    if (error instanceof TraceFormatError) return undefined
    throw error
  }
}
