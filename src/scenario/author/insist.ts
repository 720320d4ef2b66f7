import type { Exchange } from '#client/types'
import { isMishap } from '#spec/tables'
import type { Context } from './context.ts'
import { quotaCode } from '../runner/quota.ts'

/** How long is waited before the first repetition, and before the last one, in milliseconds. */
const first_ms = 500
const last_ms = { full: 8_000, mishap: 1_000 }

/**
 * Sends again, under the same number and idempotency key, while the answer says nothing about the body: 30006 with
 * growing pauses for some fifteen seconds, a mishap that the service itself tells of (section 7) for a second or two.
 */
export async function insist(
  context: Context,
  send: () => Promise<Exchange>,
  isVain: (answer: Exchange) => boolean = (answer) => isFull(answer) || isFault(answer),
): Promise<Exchange> {
  let answer = await send()
  for (let pause = first_ms; isVain(answer); pause *= 2) {
    if (pause > (isFull(answer) ? last_ms.full : last_ms.mishap)) break
    await context.wait(pause, isFull(answer) ? 'quota' : 'backoff')
    answer = await send()
  }
  return answer
}

/** The workspace has no room for another session. */
export function isFull({ code }: Exchange): boolean {
  return code === quotaCode
}

/** A mishap that the service itself tells of. */
export function isFault(answer: Exchange): boolean {
  return answer.code !== undefined && isMishap(answer)
}
