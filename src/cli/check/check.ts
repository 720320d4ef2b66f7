import { sharesVitest } from '#scenario/run/one-vitest'
import { readTrace } from '#trace/reader'
import type { CheckOptions } from '../commands/check.ts'
import { judgeTrace, resultsText } from '../judge.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, Stop, usage } from '../stop.ts'
import { writeWhole } from '../write-whole.ts'
import { prepareRecording } from './allure-folder.ts'
import { failedIn } from './earlier.ts'
import { journalsOfTheDead, newJournal } from './journal-place.ts'
import { type OutFolder, openOutFolder } from './out-folder.ts'
import { type CheckPlan, planCheck } from './plan-check.ts'
import { planText } from './plan-text.ts'
import { runCheck } from './run-check.ts'
import { findSubject, type Subject } from './subject.ts'
import { writeReports } from './write-reports.ts'

const splitVitest =
  '--report allure: two copies of vitest are installed side by side; install greenroom in a folder of its own, or use npx -p'

/**
 * Drives, records, judges and reports one target.
 *
 * @returns the exit code
 * @throws Stop
 */
export async function check(asked: CheckOptions, shell: Shell): Promise<number> {
  const again = failedIn('--failed', asked.failed)
  if (again?.length === 0) {
    shell.err(`Nothing failed in ${asked.failed}, so nothing is run.\n`)
    return 0
  }
  const baseline = new Set(failedIn('--baseline', asked.baseline))
  return checkAll({ ...asked, only: [...asked.only, ...(again ?? [])] }, baseline, shell)
}

async function checkAll(options: CheckOptions, baseline: ReadonlySet<string>, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  if (options.report.includes('allure') && !sharesVitest()) throw usage(splitVitest)
  const subject = await findSubject(options, shell)
  try {
    const plan = await planCheck(subject, options)
    if (options.dryRun) {
      shell.out(planText(plan))
      return 0
    }
    return await checkInFolder({ subject, plan, options, baseline, shell, signal })
  } finally {
    await subject.stop()
  }
}

interface Setting {
  readonly subject: Subject
  readonly plan: CheckPlan
  readonly options: CheckOptions
  /** Rows that failed in an earlier run, and may fail again. */
  readonly baseline: ReadonlySet<string>
  readonly shell: Shell
  readonly signal: AbortSignal
}

async function checkInFolder({ subject, plan, options, baseline, shell, signal }: Setting): Promise<number> {
  const out = openOutFolder(options.out)
  try {
    const journal = newJournal(subject.state, options.journal, plan.run.run)
    const dead = () => journalsOfTheDead(subject.state, options.journal, subject.profile.base_url)
    const recordTo = options.report.includes('allure') ? prepareRecording(out.allure) : undefined
    const trouble = await runCheck({ subject, plan, out, recordTo, journal, dead, shell, signal })
    if (trouble === undefined) return await conclude(out, options, baseline, shell)
    if (signal.aborted) return 130
    throw new Stop(4, trouble)
  } finally {
    out.release()
  }
}

/** Judges what was recorded, in whatever state the run ended. */
async function conclude(
  out: OutFolder,
  options: CheckOptions,
  baseline: ReadonlySet<string>,
  shell: Shell,
): Promise<number> {
  const trace = readTrace(out.trace)
  const results = await judgeTrace(trace, out.trace)
  try {
    writeWhole(out.results, resultsText(results))
  } catch (error) {
    throw new Stop(4, `${out.results} cannot be written: ${fileTrouble(error)}`)
  }
  return writeReports(results, trace.entries, out, { ...options, known: baseline }, shell)
}
