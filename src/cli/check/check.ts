import type { Baseline } from '#report/conclusion'
import { sharesVitest } from '#scenario/run/one-vitest'
import { type RunChild, startChild } from '#scenario/run/run-child'
import { familyNamed } from '#spec/register'
import type { CheckOptions } from './options.ts'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'
import { prepareRecording } from './allure-folder.ts'
import { baselineIn, concludedIn, failedIn } from './earlier.ts'
import { openOutFolder } from './out-folder.ts'
import { type CheckPlan, planCheck, type PlanOptions } from './plan-check.ts'
import { planText } from './plan-text.ts'
import { recordRun } from './record-run.ts'
import { findSubject, type Subject, warn } from './subject.ts'
import { writeReports } from './write-reports.ts'

const splitVitest =
  '--report allure: two copies of vitest are installed side by side; install greenroom in a folder of its own, or use npx -p'

/**
 * Drives, records, judges and reports one target.
 *
 * @param early what will run the scenarios, where it got ready already
 * @returns the exit code
 * @throws Stop
 */
export async function check(asked: CheckOptions, shell: Shell, early?: RunChild): Promise<number> {
  const again = asked.failed === undefined ? undefined : failedIn(asked.failed)
  if (again?.size === 0) return nothingFailed(asked.failed ?? '', shell)
  const baseline = asked.baseline === undefined ? undefined : baselineIn(asked.baseline)
  const rowsOf = (name: string): readonly string[] => familyNamed(name)?.ids ?? [name]
  const only = [...asked.only, ...(again?.keys() ?? [])].flatMap(rowsOf)
  return checkAll({ ...asked, only, skip: asked.skip.flatMap(rowsOf), failed_in: again }, { baseline, shell, early })
}

/** A run that could not be judged has no failures either: asking for these must not end better than it did. */
function nothingFailed(file: string, shell: Shell): number {
  const { exit, sentence } = concludedIn(file)
  const all = exit === 0 ? '' : ` It ended with: ${sentence}`
  shell.err(`Nothing failed in ${file}, so nothing is run.${all}\n`)
  return exit
}

async function checkAll(
  options: CheckOptions & Pick<PlanOptions, 'failed_in'>,
  around: Pick<Setting, 'baseline' | 'shell' | 'early'>,
): Promise<number> {
  const { shell } = around
  const { signal } = shell.interrupts()
  if (options.report.includes('allure') && !sharesVitest()) throw usage(splitVitest)
  const subject = await findSubject(options, shell)
  try {
    const plan = await planCheck(subject, options)
    if (plan.chosen !== undefined) shell.err(`greenroom: ${plan.chosen}\n`)
    if (plan.without !== undefined) shell.err(`greenroom: ${plan.without}\n`)
    if (options.dryRun) {
      shell.out(planText(plan))
      return 0
    }
    return await checkInFolder({ ...around, subject, plan, options, signal })
  } finally {
    await subject.stop()
  }
}

interface Setting {
  readonly subject: Subject
  readonly plan: CheckPlan
  readonly options: CheckOptions
  readonly baseline: Baseline | undefined
  readonly shell: Shell
  /** What will run the scenarios, where it got ready already. */
  readonly early: RunChild | undefined
  readonly signal: AbortSignal
}

async function checkInFolder({ subject, plan, options, baseline, shell, early, signal }: Setting): Promise<number> {
  const out = openOutFolder(options.out)
  let child = early
  try {
    child ??= startChild(options.report.includes('allure') ? { allure: prepareRecording(out.allure) } : {})
    const recorded = await recordRun({
      subject,
      plan: { ...plan, run: { ...plan.run, uploads: out.uploads } },
      out,
      child,
      journal: options.journal,
      verbose: options.verbose,
      confirm: options.confirm,
      ...(options.maxFailures === undefined
        ? {}
        : { enough: { failures: options.maxFailures, known: baseline?.failed ?? new Set<string>() } }),
      shell,
      signal,
    })
    if (recorded === undefined) return 130
    const { results, trace } = recorded
    const { embedded, named } = subject
    const exit = await writeReports(
      results,
      trace.entries,
      out,
      { ...options, ...(baseline === undefined ? {} : { known: baseline }), embedded, named },
      shell,
    )
    warn(subject.warnings, shell)
    return exit
  } finally {
    child?.stop()
    out.release()
  }
}
