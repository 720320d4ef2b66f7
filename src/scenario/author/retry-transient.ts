import type { Exchange } from '#client/types'
import { isMishap } from '#spec/tables'
import type { Context } from './context.ts'
import { capacityCode, quotaCode } from '../runner/quota.ts'

/** Longer than a client waits before it tries again: a retry "after timeout" may come so late (4.1), in milliseconds. */
export const late_ms = 3_300

/** How long is waited before the first repetition, and before the last one, in milliseconds. */
const first_ms = 500
const last_ms = { scarce: 8_000, mishap: 1_000 }

/** How many waits of a run for what is scarce may be in vain; from then on each is short until one brings something. */
const mostVain = 4
const scarceKind = 'scarce'

/** What is sent again for: scarcity by one of these codes, and a mishap that the service itself tells of. */
interface Transient {
  /** Default 30006 and 30008: the workspace has no room for another session, or the service no capacity for now. */
  readonly scarce?: readonly number[]
}

/**
 * Sends again, under the same number and idempotency key, while the answer says nothing about the body: where something
 * is scarce with growing pauses for some fifteen seconds, after a mishap that the service itself tells of (section 7) for
 * a second or two. What stays scarce for the whole run is not waited for over and over.
 */
export async function retryTransient(
  context: Pick<Context, 'wait' | 'silences'>,
  send: () => Promise<Exchange>,
  { scarce = [quotaCode, capacityCode] }: Transient = {},
): Promise<Exchange> {
  const { silences } = context
  const isScarce = ({ code }: Exchange): boolean => code !== undefined && scarce.includes(code)
  const longest = (answer: Exchange): number => {
    if (!isScarce(answer)) return last_ms.mishap
    return (silences.get(scarceKind) ?? 0) < mostVain ? last_ms.scarce : first_ms
  }
  let answer = await send()
  let waited = false
  for (let pause = first_ms; isScarce(answer) || isFault(answer); pause *= 2) {
    if (pause > longest(answer)) break
    waited ||= isScarce(answer)
    await context.wait(pause, isScarce(answer) ? 'quota' : 'backoff')
    answer = await send()
  }
  if (isScarce(answer)) silences.set(scarceKind, (silences.get(scarceKind) ?? 0) + 1)
  else if (waited) silences.delete(scarceKind)
  return answer
}

/** The workspace has no room for another session. */
export function isFull({ code }: Exchange): boolean {
  return code === quotaCode
}

/** A mishap that the service itself tells of, and after which the client has not asked again itself. */
function isFault(answer: Exchange): boolean {
  return answer.code !== undefined && isMishap(answer) && (answer.attempts ?? 1) === 1
}
