import { allowedPerWindow } from '#client/pace/pace'
import type { KeyName } from '#spec/profile'
import type { Context } from './context.ts'
import { paceOf } from '../plan/plan.ts'

/** The window in which requests count, and how long this waits at most, in milliseconds. */
export const window_ms = 61_000
const step_ms = 1_000

/**
 * Waits until the key may send so many requests at once. At a low rate the pace would send them one by one as room comes
 * free, and what has to go out at the same moment would not. Others may use the key meanwhile: then it waits no longer
 * than a window.
 */
export async function waitForRateBudget(context: Context, key: KeyName, requests: number): Promise<void> {
  const allowed = mostAtOnce(context, key)
  for (let waited = 0; waited < window_ms; waited += step_ms) {
    if (requests > allowed || context.usage(key, window_ms).sent + requests <= allowed) return
    await context.wait(step_ms, 'backoff')
  }
}

/** Requests that the key may send in one window at our pace. */
export function mostAtOnce({ profile }: Pick<Context, 'profile'>, key: KeyName): number {
  return allowedPerWindow(paceOf(profile, key))
}
