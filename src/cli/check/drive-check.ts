import { outlayOf } from '#scenario/plan/outlay'
import { cleanUpAfter } from '#scenario/cleanup/run-cleanup'
import type { OpenRun } from '#scenario/run/run-open'
import { type Preflight, preflight } from '#scenario/run/run-preflight'
import type { EndEntry } from '#trace/entry'
import { clockSince } from '#trace/clock'
import { type WatchOptions, watchFailures } from '../watch/failed-so-far.ts'
import { followTrace } from '../watch/follow-trace.ts'
import { showProgress } from '../watch/progress.ts'
import { tellingKinds } from '../watch/run-state.ts'
import { verboseKinds } from '../watch/verbose.ts'
import { confirm } from './confirm.ts'
import { whileGettingReady } from './ready-to-judge.ts'
import type { CheckRun } from './check-run.ts'
import { whyUnreachable } from './unreachable.ts'

/** How the driving ended; `error` where it was our own mistake. */
export interface End extends Pick<EndEntry, 'outcome' | 'reason'> {
  readonly error?: unknown
}

/** A target that never answers is told within ten seconds, from the first keystroke on. */
const preflightMs = 8_000

/** How long ending what earlier runs left may take. */
const sweepMs = 30_000

/** Preflight, what dead runs left, then the scenarios in a child. */
export async function driveCheck(run: CheckRun, open: OpenRun): Promise<End> {
  const found = await askAndSweep(run, open)
  if (run.signal.aborted) return { outcome: 'interrupted' }
  if (found.kind !== 'ok') {
    return { outcome: 'unreachable', reason: whyUnreachable(found.reason, run.written.read()) }
  }
  if (run.plan.selected.length === 0) return { outcome: 'completed' }
  const enough = new AbortController()
  const end = await withProgress(run, enough, () => runScenarios(run, enough.signal))
  if (run.confirm === true && end.outcome === 'completed' && !run.signal.aborted) await confirmUnlessAborted(run)
  return end
}

/** What an interrupt breaks off is no mistake: the run ends as interrupted. */
async function confirmUnlessAborted(run: CheckRun): Promise<void> {
  try {
    await confirm(run)
  } catch (error) {
    if (!run.signal.aborted) throw error
  }
}

/** Closes what is open: the child goes on in the same trace. */
async function askAndSweep(run: CheckRun, open: OpenRun): Promise<Preflight> {
  try {
    const { base_url } = run.plan.run.profile
    const found = await preflight(open.client.scope(), preflightMs, { base_url, patient: true })
    if (found.kind === 'ok') await sweepDead(run, open)
    return found
  } catch (error) {
    if (!run.signal.aborted) throw error
    return { kind: 'unreachable', reason: 'the run was interrupted' }
  } finally {
    await open.close()
  }
}

/** A run that was killed could not close its sessions: they hold quota that this one needs. */
async function sweepDead(run: CheckRun, open: OpenRun): Promise<void> {
  const dead = run.dead()
  if (dead.length === 0) return
  const { closed, leaked } = await cleanUpAfter(dead, open, sweepMs)
  // It may only have had to look.
  if (closed.length + leaked.length === 0) return
  const left = leaked.length === 0 ? '' : `, ${leaked.length} could not be closed`
  run.shell.err(`greenroom: closed ${closed.length} sessions that an earlier run left open${left}\n`)
}

async function runScenarios(
  { child: scenarios, plan, out, written, journal, subject, signal }: CheckRun,
  enough: AbortSignal,
): Promise<End> {
  const { environment } = subject
  const driven = scenarios.run({ plan: plan.run, trace: out.trace, journal, environment, signal, enough })
  const child = await whileGettingReady(written, driven)
  if (child.fine) return { outcome: 'completed' }
  const error = new Error(child.complaint === '' ? 'the process that runs the scenarios died' : child.complaint)
  return { outcome: 'failed', error }
}

async function withProgress<T>(run: CheckRun, enough: AbortController, action: () => Promise<T>): Promise<T> {
  const { plan, out, shell, verbose } = run
  const { selected: scenarios, left_out = {} } = plan
  const { requests } = outlayOf(scenarios, left_out, plan.run.profile)
  const progress = showProgress(shell, {
    follower: followTrace(out.trace, verbose ? tellingKinds.union(verboseKinds) : tellingKinds),
    planned: { scenarios, left_out, profile: plan.run.profile, requests },
    now: clockSince(plan.run.epoch),
    failed: watchFailures(out.trace, stopAt(run, enough)),
    verbose,
  })
  try {
    return await action()
  } finally {
    progress.stop()
  }
}

/** Failures that stop the run are looked for sooner than those that somebody only watches, in milliseconds. */
const firstLook_ms = 5_000

/** Sends nothing more once as many have failed as are enough. */
function stopAt({ enough, confirm: sendsAgain = false, shell }: CheckRun, stop: AbortController): WatchOptions {
  if (enough === undefined) return {}
  const { failures, known } = enough
  const heard = (failed: ReadonlySet<string>): void => {
    if (stop.signal.aborted || failed.difference(known).size < failures) return
    shell.err(
      `greenroom: --max-failures ${failures} is reached: no more requests are sent but ${sendsAgain ? 'each failure once more, and ' : ''}what ends what was made, at the pace of the keys\n`,
    )
    stop.abort(`left out by --max-failures ${failures}`)
  }
  return { heard, first_ms: firstLook_ms }
}
