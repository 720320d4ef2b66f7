import { messageOf } from '#trace/message-of'
import type { Journal } from '#scenario/journal/journal'
import { cleanUp } from '#scenario/cleanup/run-cleanup'
import { openRun } from '#scenario/run/run-open'
import type { Entry } from '#trace/entry'
import type { Redactor } from '#trace/redact'
import { memoryTrace, openTrace, type TraceWriter } from '#trace/writer'
import type { End } from './drive-check.ts'
import type { CheckRun } from './check-run.ts'
import { type Note, unstoppable, unstoppableJournal } from './unstoppable.ts'

/** How long cleaning up may take; whoever sends a signal does not wait as long. */
const cleanupMs = { whole: 60_000, interrupted: 20_000 }

/** Ends what the run left open, and writes the last entries. A trace that cannot be written does not keep it from that. */
export async function finishCheck(run: CheckRun, journal: Journal, end: End, note: Note): Promise<void> {
  const { plan, subject, signal } = run
  const open = openRun({
    plan: plan.run,
    environment: subject.environment,
    // Once it is aborted, cleanup no longer keeps to the pace of a key: somebody waits for our end.
    signal,
    write: (redactor) => unstoppable(traceOf(run, redactor, note), note),
    earlier: entriesOf(run, note),
  })
  if (end.error !== undefined && !signal.aborted)
    open.trace.write({ kind: 'harness-error', message: messageOf(end.error) })
  const { unlooked = false, again } = await cleanUp(
    open,
    unstoppableJournal(journal, note),
    signal.aborted ? cleanupMs.interrupted : cleanupMs.whole,
    { hurried: signal.aborted, bounded: true },
  )
  if (unlooked) run.shell.err(`greenroom: ${whyUnlooked(plan.run.max_requests)}${again ? later : ''}\n`)
  const outcome = signal.aborted ? 'interrupted' : end.outcome
  const reason = signal.aborted ? String(signal.reason) : end.reason
  open.trace.write({ kind: 'end', outcome, ...(reason === undefined ? {} : { reason }) })
  await open.close()
}

const later = '; the next run looks for it, or "npx greenroom cleanup"'

function whyUnlooked(most: number | undefined): string {
  return `of the ${most ?? 'few'} requests that the run may send too few were left to look whether all that it made is over`
}

function traceOf({ out, plan }: CheckRun, redactor: Redactor, note: Note): TraceWriter {
  try {
    return openTrace(out.trace, plan.run.epoch, redactor)
  } catch (error) {
    note(error)
    return memoryTrace(plan.run.epoch, redactor)
  }
}

function entriesOf({ written }: CheckRun, note: Note): readonly Entry[] {
  try {
    return written.read()
  } catch (error) {
    note(error)
    return []
  }
}
