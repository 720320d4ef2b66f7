import { runEpoch } from '#trace/clock'
import { aroundSeconds } from '../plan/outlay.ts'
import type { RunPlan } from '../plan/run-plan.ts'

/** To close sessions, to judge and to report take about so many times as long as what comes before the first scenario. */
const endingPerBeginning = 7

/**
 * Milliseconds that are left for the end of a run: those that its plan reckons with, or more where its beginning took long
 * already, since the machine is busy or the target slow; at most a third of all.
 */
export function endingOf(run_ms: number, begun_ms: number): number {
  const planned = aroundSeconds * 1_000
  return Math.max(planned, Math.min(endingPerBeginning * begun_ms, run_ms / 3))
}

/**
 * Enough is sent, too, once the time is over that a run was given: but for what ending it takes. Scenarios at a slow target
 * would go on for minutes, each until its last step.
 *
 * @param enough aborted once nothing more is to be sent for another reason
 */
export function untilTimeIsOver(
  { run_ms, epoch }: Pick<RunPlan, 'run_ms' | 'epoch'>,
  enough: AbortSignal,
): AbortSignal {
  if (run_ms === undefined) return enough
  const over = new AbortController()
  const begun_ms = runEpoch() - epoch
  const left_ms = run_ms - endingOf(run_ms, begun_ms) - begun_ms
  const end = () => over.abort(`left out by --within ${run_ms / 1_000}s: the time was over`)
  if (left_ms > 0) setTimeout(end, left_ms).unref()
  else end()
  return AbortSignal.any([enough, over.signal])
}
