import { difference } from '#report/difference'
import { differenceSentence, differenceText } from '#report/difference-text'
import type { DiffOptions } from '../commands/diff.ts'
import { readResults } from '../read-results.ts'
import type { Shell } from '../shell.ts'
import { resultsFile } from './results-file.ts'

/**
 * Prints what is different between the results of two runs.
 *
 * @returns 1 where there are new failures, else 0
 * @throws Stop (2) where either is no results file
 */
export function diff(before: string, after: string, { json }: DiffOptions, shell: Shell): number {
  const found = difference(readResults(resultsFile(before), before), readResults(resultsFile(after), after))
  shell.out(json ? `${JSON.stringify(found, undefined, 2)}\n` : differenceText(found))
  shell.err(`${differenceSentence(found)}\n`)
  return found.new_failures.length > 0 ? 1 : 0
}
