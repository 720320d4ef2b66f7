import { BudgetSpent } from '#client/errors'
import type { Exchange, RestCall } from '#client/types'
import { keyNames, timeoutsFor } from '#spec/profile'
import type { TraceWriter } from '#trace/writer'
import { memoryTrace } from '#trace/writer'
import type { Begin } from '../journal/journal-line.ts'
import { type JournalState, readJournal } from '../journal/journal-state.ts'
import type { Journal } from '../journal/journal.ts'
import { removeJournal, reopenJournal } from '../journal/journal.ts'
import { lock } from '../journal/lock.ts'
import { lookBack } from './look-back.ts'
import type { OpenRun } from '../run/run-open.ts'
import { openRun } from '../run/run-open.ts'
import { planRun } from '../plan/run-plan.ts'
import type { Environment } from '../run/run-secrets.ts'
import type { Swept } from './sweep.ts'
import { nothingSwept, sweep } from './sweep.ts'

/** How a run is cleaned up after. */
interface Manner {
  /** Somebody waits for the end. */
  readonly hurried?: boolean
  /** Looking if all is over keeps to what the run may send. */
  readonly bounded?: boolean
}

/** Ends what a run left and writes the cleanup entry; forgets the journal unless another sweep may still help. */
export async function cleanUp(
  open: OpenRun,
  journal: Journal,
  deadline_ms: number,
  manner: Manner = {},
): Promise<Swept> {
  const swept = await sweepWith(open, journal, deadline_ms, manner)
  writeCleanup(open.trace, swept)
  return swept
}

/**
 * Ends what dead runs left, in this run's name. Journals whose keys are other ones than this run's are left alone, and so
 * are those that another process is at.
 *
 * @returns what was done in sum
 */
export async function cleanUpAfter(dead: readonly JournalState[], open: OpenRun, deadline_ms: number): Promise<Swept> {
  const deadline = performance.now() + deadline_ms
  const all: Swept[] = []
  for (const state of dead.filter(({ begin }) => hasKeysOf(open, begin))) {
    all.push(
      await locked(state.file, () =>
        sweepWith(open, reopenJournal(state.file), deadline - performance.now(), { patient: true }),
      ),
    )
  }
  return all.reduce(joined, nothingSwept)
}

function writeCleanup(trace: Pick<TraceWriter, 'write'>, { closed, leaked, undeletable }: Swept): void {
  trace.write({ kind: 'cleanup', closed, leaked, undeletable })
}

/**
 * Ends what a dead run left, with nothing but its journal and the environment. Recorded nowhere.
 *
 * @throws UnsafeTarget; the system's error when the run's `ca_file` can't be read
 */
export async function cleanUpAlone(
  { file, begin }: JournalState,
  environment: Environment,
  deadline_ms: number,
): Promise<Swept> {
  const { run, ...profile } = begin
  const plan = { ...planRun({ profile, tier: 'standard', only: [], selected: [] }), run }
  const { signal } = new AbortController()
  const open = openRun({ plan, environment, signal, write: (redactor) => memoryTrace(plan.epoch, redactor) })
  try {
    return await locked(file, () => sweepWith(open, reopenJournal(file), deadline_ms))
  } finally {
    await open.close()
  }
}

async function locked(file: string, action: () => Promise<Swept>): Promise<Swept> {
  const release = lock(file)
  if (release === undefined) return nothingSwept
  try {
    return await action()
  } finally {
    release()
  }
}

/** Whether no name means another variable than it did. */
function hasKeysOf({ plan }: OpenRun, { keys }: Begin): boolean {
  const ours = plan.profile.keys
  return keyNames.every((name) => keys[name] === undefined || ours[name] === undefined || keys[name] === ours[name])
}

async function sweepWith(
  { client, keys, plan }: OpenRun,
  journal: Journal,
  deadline_ms: number,
  manner: Manner & { readonly patient?: boolean } = {},
): Promise<Swept> {
  const until = performance.now() + deadline_ms
  const scope = client.scope(undefined, 'cleanup')
  const rest: typeof scope.rest = (operation, call) => scope.rest(operation, unpaced(call))
  const glance = client.scope(undefined, manner.bounded === true ? 'look' : 'cleanup')
  let unlooked = false
  const look: typeof scope.rest = async (operation, call) => {
    try {
      return await glance.rest(operation, unpaced(call))
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error
      unlooked = true
      return unseen
    }
  }
  const sweepOnce = () => sweep({ journal, keys, deadline_ms: until - performance.now(), ...manner, rest })
  let swept = await sweepOnce()
  for (const pause of manner.hurried === true ? hurriedPauses_ms : pauses_ms) {
    if (!swept.soon || performance.now() + pause > until) break
    await scope.wait(pause, 'backoff')
    const next = await sweepOnce()
    swept = { ...next, closed: [...swept.closed, ...next.closed] }
  }
  const { lag_ms } = timeoutsFor(plan.profile)
  // Only where something seems to stand is the lag of reads waited for: before that is believed, and after it was ended anew.
  const most_ms = manner.hurried === true ? hurriedLook_ms + 2 * lag_ms : Infinity
  const lag = () => scope.wait(Math.max(0, Math.min(lag_ms, until - performance.now())), 'lag')
  const looked = await lookBack({
    journal,
    keys,
    rest,
    look,
    deadline: AbortSignal.timeout(Math.max(0, Math.round(Math.min(until - performance.now(), most_ms)))),
    lag,
    routine: plan.tier === 'smoke' ? 'sessions' : 'everywhere',
  })
  journal.close()
  const again = swept.again || (unlooked && isUnclear(journal.file))
  if (!again) removeJournal(journal.file)
  return {
    ...swept,
    again,
    closed: [...swept.closed, ...looked.closed],
    leaked: [...swept.leaked, ...looked.leaked],
    unlooked,
  }
}

/** Nobody needs the limit of the key any more that is there to be crossed. */
function unpaced(call: RestCall | undefined): RestCall | undefined {
  return call?.key === 'rate_limited' ? { ...call, pace: false } : call
}

/** Whether more may be there than is known: without a look, nobody but a later sweep will see it. */
function isUnclear(file: string): boolean {
  const { unclear, unnamed, doubts } = readJournal(file) ?? { unclear: [], unnamed: [], doubts: [] }
  return unclear.length + unnamed.length + doubts.length > 0
}

/** What stands for an answer where nothing more may be asked. */
const unseen: Exchange = {
  exchange: 0,
  status: 0,
  headers: {},
  body: undefined,
  code: undefined,
  message: undefined,
  data: undefined,
  ok: false,
  failure: undefined,
}

/** Before nobody's answer is taken for good: what is on the way to the target comes back, as a rule. */
const pauses_ms = [1_000, 3_000, 9_000]
/** Where somebody waits for our end, what is away for a moment is asked once more all the same. */
const hurriedPauses_ms = [500]

/** For the look at what was ended, then. */
const hurriedLook_ms = 2_000

function joined(one: Swept, other: Swept): Swept {
  return {
    closed: [...one.closed, ...other.closed],
    leaked: [...one.leaked, ...other.leaked],
    undeletable: [...one.undeletable, ...other.undeletable],
    again: one.again || other.again,
    soon: one.soon || other.soon,
    unlooked: one.unlooked === true || other.unlooked === true,
  }
}
