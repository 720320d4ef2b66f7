import type { Exchange } from '#client/types'
import { isMishap } from '#spec/tables'
import type { Context } from './context.ts'
import { quotaCode } from '../runner/quota.ts'

/** How long is waited before the first repetition, and before the last one, in milliseconds. */
const first_ms = 500
const last_ms = { scarce: 8_000, mishap: 1_000 }

/** What is sent again for: scarcity by one of these codes, and a mishap that the service itself tells of. */
interface Transient {
  /** Default 30006: the workspace has no room for another session. */
  readonly scarce?: readonly number[]
}

/**
 * Sends again, under the same number and idempotency key, while the answer says nothing about the body: where something
 * is scarce with growing pauses for some fifteen seconds, after a mishap that the service itself tells of (section 7) for
 * a second or two.
 */
export async function retryTransient(
  context: Pick<Context, 'wait'>,
  send: () => Promise<Exchange>,
  { scarce = [quotaCode] }: Transient = {},
): Promise<Exchange> {
  const isScarce = ({ code }: Exchange): boolean => code !== undefined && scarce.includes(code)
  let answer = await send()
  for (let pause = first_ms; isScarce(answer) || isFault(answer); pause *= 2) {
    if (pause > (isScarce(answer) ? last_ms.scarce : last_ms.mishap)) break
    await context.wait(pause, isScarce(answer) ? 'quota' : 'backoff')
    answer = await send()
  }
  return answer
}

/** The workspace has no room for another session. */
export function isFull({ code }: Exchange): boolean {
  return code === quotaCode
}

/** A mishap that the service itself tells of. */
function isFault(answer: Exchange): boolean {
  return answer.code !== undefined && isMishap(answer)
}
