import type { TraceWriter } from '../trace/writer.ts'
import { memoryTrace } from '../trace/writer.ts'
import type { JournalState } from './journal-state.ts'
import { readJournal } from './journal-state.ts'
import type { Journal } from './journal.ts'
import { removeJournal, reopenJournal } from './journal.ts'
import type { OpenRun } from './run-open.ts'
import { openRun } from './run-open.ts'
import type { RunPlan } from './run-plan.ts'
import type { Environment } from './run-secrets.ts'
import type { Swept } from './sweep.ts'
import { sweep } from './sweep.ts'

const nothing: Swept = { closed: [], leaked: [], undeletable: [], again: false }

/** Ends what a run left and writes the cleanup entry; forgets the journal unless another sweep may still help. */
export async function cleanUp(open: OpenRun, journal: Journal, deadline_ms: number): Promise<Swept> {
  const swept = await sweepWith(open, journal, deadline_ms)
  writeCleanup(open.trace, swept)
  return swept
}

/** Ends what dead runs left, under this run's name and budget; gives what was done in sum. */
export async function cleanUpAfter(dead: readonly JournalState[], open: OpenRun, deadline_ms: number): Promise<Swept> {
  const all = []
  for (const { file } of dead) {
    const journal = reopenJournal(file)
    all.push(await sweepWith(open, journal, deadline_ms))
  }
  return all.reduce(joined, nothing)
}

/** Whether a run's journal leaves nothing to send. */
export function isClean(file: string): boolean {
  const state = readJournal(file)
  return state !== undefined && state.open.length === 0 && state.lost.length === 0
}

export function writeCleanup(trace: Pick<TraceWriter, 'write'>, { closed, leaked, undeletable }: Swept): void {
  trace.write({ kind: 'cleanup', closed, leaked, undeletable })
}

/** Sweeps without a trace: for a run whose trace can't be written any more, and for `greenroom cleanup`. */
export async function cleanUpUnrecorded(
  plan: RunPlan,
  environment: Environment,
  file: string,
  deadline_ms: number,
): Promise<Swept> {
  const open = openRun({
    plan,
    environment,
    signal: new AbortController().signal,
    write: (redactor) => memoryTrace(plan.epoch, redactor),
  })
  try {
    return await sweepWith(open, reopenJournal(file), deadline_ms)
  } finally {
    await open.close()
  }
}

async function sweepWith({ client, keys }: OpenRun, journal: Journal, deadline_ms: number): Promise<Swept> {
  const scope = client.scope(undefined, 'cleanup')
  const swept = await sweep({ journal, keys, deadline_ms, rest: (operation, call) => scope.rest(operation, call) })
  journal.close()
  if (!swept.again) removeJournal(journal.file)
  return swept
}

function joined(one: Swept, other: Swept): Swept {
  return {
    closed: [...one.closed, ...other.closed],
    leaked: [...one.leaked, ...other.leaked],
    undeletable: [...one.undeletable, ...other.undeletable],
    again: one.again || other.again,
  }
}
