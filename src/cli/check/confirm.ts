import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { RequirementResult } from '#judge/results'
import { indexTrace } from '#judge/trace-index'
import { type FailureReplay, replaysOf } from '#replay/make-replay'
import { confirmFailures, type FailureToConfirm, type Obstacle } from '#replay/send/confirm'
import { causesOf } from '#report/causes'
import { joinJournal } from '#scenario/journal/journal'
import { loadRules } from '#scenario/plan/load-rules'
import { openRun } from '#scenario/run/run-open'
import type { Rule } from '#judge/rule'
import type { Entry } from '#trace/entry'
import type { Trace } from '#trace/reader'
import type { TraceSoFar } from '#trace/growing/so-far'
import { openTrace } from '#trace/writer'
import type { CheckRun } from './check-run.ts'

/** A target that is wrong everywhere is wrong for few reasons: what follows from one of them need not all be sent again. */
const mostFailures = 50

/**
 * Sends what failed so far again, in the same run: into its trace and its journal, within its budget.
 *
 * @throws TraceWriteError; the system's error where trace or journal cannot be read
 */
export async function confirm(run: CheckRun): Promise<void> {
  const { plan, subject, out, written, journal: file, shell, signal } = run
  const rules = await loadRules()
  const trace = written.whole()
  const failures = failuresIn(trace, rules)
  if (failures.length === 0) return
  const count = failures.length === 1 ? 'the failure' : `${failures.length} failures`
  shell.err(`greenroom: sending ${count} again\n`)
  const journal = joinJournal(file)
  const open = openRun({
    plan: plan.run,
    environment: subject.environment,
    signal,
    write: (redactor) => openTrace(out.trace, plan.run.epoch, redactor),
    earlier: trace.entries,
    reserve: () => journal.pending,
  })
  try {
    // Behind the writer that was opened: it cuts off a line that is not whole.
    const more = addedTo(written)
    const { uploads } = out
    await confirmFailures(failures, { open, journal, rules, uploads, signal, earlier: trace.entries, more })
  } finally {
    await open.close()
    journal.close()
  }
}

/** Gives what was added to the trace since it was last asked. */
function addedTo(written: TraceSoFar): () => readonly Entry[] {
  let known = written.read().length
  return () => {
    const added = written.read().slice(known)
    known += added.length
    return added
  }
}

function failuresIn(trace: Trace, rules: readonly Rule[]): readonly FailureToConfirm[] {
  const results = judge(trace, register(), rules)
  const source = { index: indexTrace(trace.entries), results, rules, register: register().rows }
  const broken = [...results.requirements, ...results.unscored].filter(isUnexpected)
  return toConfirm(broken, (row) => replaysOf(row, source))
}

/** Broken rows with what sends them again, the first of each cause before what follows from it. */
export function toConfirm(
  broken: readonly RequirementResult[],
  replays: (row: RequirementResult) => Iterator<FailureReplay, undefined>,
): readonly FailureToConfirm[] {
  const causes = causesOf(broken)
  const ordered = [...causes.map(({ first }) => first), ...causes.flatMap(({ more }) => more)]
  return ordered.map((row, place) => {
    if (place >= mostFailures) return { requirement: row.id, obstacle: tooMany }
    const found = replays(row)
    const replay = found.next().value?.replay
    if (replay === undefined) return { requirement: row.id, obstacle: onlyWhole }
    return { requirement: row.id, replay, another: () => found.next().value?.replay }
  })
}

const tooMany: Obstacle = {
  reason_code: 'budget',
  reason: `${mostFailures} other failures of the run came before it, and no more than that are`,
}
const onlyWhole: Obstacle = { reason_code: 'prerequisite', reason: 'nothing shorter than the whole run shows it' }

/** Broken, and not waived: what is known to break need not be confirmed. */
function isUnexpected({ verdict, failures }: RequirementResult): boolean {
  return failures !== undefined && (verdict === 'fail' || verdict === 'warn')
}
