import type { KeyName } from '#spec/profile'
import type { Context } from './context.ts'
import { waitForRateBudget } from './rate-budget.ts'

/**
 * Sends several things by one key at the same moment. Two that are apart by a connection that is only being opened
 * seldom meet: a walk sends something at once before what it wants to meet, so that the connections are warm.
 */
export async function volley<Answer>(
  c: Context,
  key: KeyName,
  sends: readonly (() => Promise<Answer>)[],
): Promise<readonly Answer[]> {
  await waitForRateBudget(c, key, sends.length)
  return Promise.all(sends.map((send) => send()))
}

/** How many requests at once find a gap most cheaply: more cost too much, fewer meet too rarely. */
export const volleySize = 4
