import { dirname, resolve } from 'node:path'
import { UnsafeTarget } from '#client/errors'
import { beginJournal, type Journal, JournalBusy } from '#scenario/journal/journal'

import { type OpenRun, openRun } from '#scenario/run/run-open'
import { beginOf, headerOf } from '#scenario/plan/run-plan'
import { messageOf } from '#trace/message-of'
import { openTrace, TraceWriteError } from '#trace/writer'
import { makeFolder } from '../make-folder.ts'
import { fileTrouble, Stop, usage } from '../stop.ts'
import { driveCheck, type End } from './drive-check.ts'
import { finishCheck } from './finish-check.ts'

import type { CheckRun } from './check-run.ts'

/**
 * Header, preflight, scenarios in a child, cleanup, end: whatever happens on the way, what the run made is ended.
 *
 * @returns why the trace is not whole, in a sentence; undefined when it is
 * @throws Stop before anything is sent
 */
export async function runCheck(run: CheckRun): Promise<string | undefined> {
  const open = begin(run)
  const journal = await beginJournalOf(run, open)
  const troubles: string[] = []
  const end = await driveCheck(run, open).catch((error: unknown): End => ({ outcome: 'failed', error }))
  await finishCheck(run, journal, end, (error) => void troubles.push(messageOf(error)))
  if (end.error instanceof TraceWriteError) return end.error.message
  return troubles[0]
}

/** Opens the trace and writes its first line; nothing is sent yet. */
function begin({ plan, subject, out, signal }: CheckRun): OpenRun {
  const { run } = plan
  const { environment } = subject
  try {
    const open = openRun({
      plan: run,
      environment,
      signal,
      write: (redactor) => openTrace(out.trace, run.epoch, redactor),
    })
    open.trace.write(headerOf(run, plan, environment))
    return open
  } catch (error) {
    if (error instanceof UnsafeTarget) throw usage(error.message)
    if (error instanceof TraceWriteError) throw new Stop(4, error.message)
    throw error
  }
}

async function beginJournalOf({ journal, plan }: CheckRun, open: OpenRun): Promise<Journal> {
  try {
    makeFolder(dirname(resolve(journal)))
    return beginJournal(journal, beginOf(plan.run))
  } catch (error) {
    await open.close()
    if (error instanceof JournalBusy) throw usage(`--journal: ${error.message}; give another file`)
    throw usage(`the journal ${journal} cannot be written (${fileTrouble(error)}); give another place with --journal`)
  }
}
