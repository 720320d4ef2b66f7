import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { RequirementResult } from '#judge/results'
import { indexTrace } from '#judge/trace-index'
import { makeReplay } from '#replay/make-replay'
import { confirmFailures, type FailureToConfirm } from '#replay/send/confirm'
import { causesOf } from '#report/causes'
import { joinJournal } from '#scenario/journal/journal'
import { loadRules } from '#scenario/plan/load-rules'
import { openRun } from '#scenario/run/run-open'
import type { Rule } from '#judge/rule'
import { readTrace } from '#trace/reader'
import { openTrace } from '#trace/writer'
import type { CheckRun } from './run-check.ts'

/** A target that is wrong everywhere is wrong for few reasons: what follows from one of them need not all be sent again. */
const mostFailures = 50

/**
 * Sends what failed so far again, in the same run: into its trace and its journal, within its budget.
 *
 * @throws TraceWriteError; the system's error where trace or journal cannot be read
 */
export async function confirm(run: CheckRun): Promise<void> {
  const { plan, subject, out, journal: file, shell, signal } = run
  const rules = await loadRules()
  const failures = failuresIn(run, rules)
  if (failures.length === 0) return
  const count = failures.length === 1 ? 'the failure' : `${failures.length} failures`
  shell.err(`greenroom: sending ${count} again\n`)
  const journal = joinJournal(file)
  const open = openRun({
    plan: plan.run,
    environment: subject.environment,
    signal,
    write: (redactor) => openTrace(out.trace, plan.run.epoch, redactor),
    earlier: readTrace(out.trace).entries,
    reserve: () => journal.pending,
  })
  try {
    const entries = () => readTrace(out.trace).entries
    await confirmFailures(failures, { open, journal, rules, uploads: out.uploads, signal, entries })
  } finally {
    await open.close()
    journal.close()
  }
}

/** The first of each cause before what follows from it. */
function failuresIn({ out }: CheckRun, rules: readonly Rule[]): readonly FailureToConfirm[] {
  const trace = readTrace(out.trace)
  const results = judge(trace, register(), rules)
  const broken = [...results.requirements, ...results.unscored].filter(isBroken)
  const causes = causesOf(broken)
  const ordered = [...causes.map(({ first }) => first), ...causes.flatMap(({ more }) => more)]
  const source = { index: indexTrace(trace.entries), results, rules, register: register().rows }
  return ordered.slice(0, mostFailures).map((row) => ({ requirement: row.id, replay: makeReplay(row, source) }))
}

function isBroken({ verdict, failures }: RequirementResult): boolean {
  return failures !== undefined && (verdict === 'fail' || verdict === 'warn')
}
