import { dirname, join } from 'node:path'
import { resultsText } from '#judge/results-text'
import type { JudgedRecording } from '#recording/judge-recording'
import { conclude } from '#report/conclusion'
import { printable } from '#text/printable'
import { mistakesFile } from '../check/out-folder.ts'
import { writeNamed } from '../named-files.ts'
import type { Shell } from '../shell.ts'
import { mistakeLines } from './mistake-lines.ts'

/**
 * Writes the verdict beside the trace, and tells what broke and, apart from it, what clients did wrong.
 *
 * @param out file of the results; undefined where nothing is kept
 * @returns the exit code
 */
export function writeRecording({ results, mistakes }: JudgedRecording, out: string | undefined, shell: Shell): number {
  if (out !== undefined) {
    writeNamed(out, resultsText(results))
    writeNamed(join(dirname(out), mistakesFile), `${JSON.stringify(mistakes, undefined, 2)}\n`)
  }
  for (const { id, verdict, reason } of results.requirements) {
    if (verdict === 'fail' || verdict === 'warn') shell.out(`${verdict} ${id}: ${printable(reason, 300)}\n`)
  }
  shell.out(mistakeLines(mistakes))
  const { exit, sentence } = conclude(results)
  shell.err(`${sentence} (exit code ${exit})\n`)
  return exit
}
