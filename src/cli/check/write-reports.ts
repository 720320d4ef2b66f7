import { appendFileSync } from 'node:fs'
import type { Results } from '../../judge/results.ts'
import { conclude } from '../../report/conclusion.ts'
import { resender } from '../../report/curl.ts'
import { githubReport } from '../../report/github.ts'
import { junitReport } from '../../report/junit.ts'
import { terminalReport } from '../../report/terminal.ts'
import type { Entry } from '../../trace/entry.ts'
import { register } from '../register.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble } from '../stop.ts'
import { writeWhole } from '../write-whole.ts'
import type { OutFolder } from './out-folder.ts'

export interface ReportOptions {
  readonly report: readonly ('junit' | 'github')[]
  readonly requireAll: boolean
}

/**
 * Writes the reports that were asked for, and shows the end of the run.
 *
 * @returns the exit code of the run
 */
export function writeReports(
  results: Results,
  entries: readonly Entry[],
  out: OutFolder,
  options: ReportOptions,
  shell: Shell,
): number {
  const { requireAll } = options
  const resend = resender(entries, results.target.base_url, results.target.profile)
  const shared = { resend, trace: out.shownTrace, requireAll }
  if (options.report.includes('junit'))
    attempt(out.junit, () => writeWhole(out.junit, junitReport(results, shared)), shell)
  const summary = shell.env['GITHUB_STEP_SUMMARY']
  if (summary !== undefined && summary !== '')
    attempt(summary, () => appendFileSync(summary, githubReport(results, shared)), shell)
  else if (options.report.includes('github')) shell.out(githubReport(results, shared))
  const text = (id: string): string | undefined => register().rows.get(id)?.text
  shell.out(terminalReport(results, { ...shared, paint: shell.paint, text }))
  return conclude(results, { requireAll }).exit
}

/** A report that cannot be written is no reason to lose the verdict. */
function attempt(file: string, write: () => void, shell: Shell): void {
  try {
    write()
  } catch (error) {
    shell.err(`greenroom: ${file} cannot be written: ${fileTrouble(error)}\n`)
  }
}
