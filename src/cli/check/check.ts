import { sharesVitest } from '#scenario/run/one-vitest'
import type { CheckOptions } from '../commands/check.ts'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'
import { prepareRecording } from './allure-folder.ts'
import { failedIn } from './earlier.ts'
import { openOutFolder } from './out-folder.ts'
import { type CheckPlan, planCheck } from './plan-check.ts'
import { planText } from './plan-text.ts'
import { recordRun } from './record-run.ts'
import { findSubject, type Subject, warn } from './subject.ts'
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
    if (plan.chosen !== undefined) shell.err(`greenroom: ${plan.chosen}\n`)
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
    const recordTo = options.report.includes('allure') ? prepareRecording(out.allure) : undefined
    const recorded = await recordRun({
      subject,
      plan: { ...plan, run: { ...plan.run, uploads: out.uploads } },
      out,
      recordTo,
      journal: options.journal,
      verbose: options.verbose,
      confirm: options.confirm,
      shell,
      signal,
    })
    if (recorded === undefined) return 130
    const { results, trace } = recorded
    const { embedded } = subject
    const exit = await writeReports(results, trace.entries, out, { ...options, known: baseline, embedded }, shell)
    warn(subject.warnings, shell)
    return exit
  } finally {
    out.release()
  }
}
