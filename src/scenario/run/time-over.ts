import { runEpoch } from '#trace/clock'
import { aroundSeconds } from '../plan/outlay.ts'
import type { RunPlan } from '../plan/run-plan.ts'

/**
 * Enough is sent, too, once the time is over that a run was given: but for what ending it takes, as its plan reckons. Scenarios
 * at a slow target would go on for minutes, each until its last step.
 *
 * @param enough aborted once nothing more is to be sent for another reason
 */
export function untilTimeIsOver(
  { run_ms, epoch }: Pick<RunPlan, 'run_ms' | 'epoch'>,
  enough: AbortSignal,
): AbortSignal {
  if (run_ms === undefined) return enough
  const over = new AbortController()
  const left_ms = run_ms - aroundSeconds * 1_000 - (runEpoch() - epoch)
  const end = () => over.abort(`left out by --within ${run_ms / 1_000}s: the time was over`)
  if (left_ms > 0) setTimeout(end, left_ms).unref()
  else end()
  return AbortSignal.any([enough, over.signal])
}
