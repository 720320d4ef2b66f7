import type { Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { ended, look } from '#scenario/author/session-ending'
import { isSilent } from '#scenario/author/sessions/sight'

const pause_ms = 3_000

/** Looks every few seconds until Get shows one of these states or time is over; where it shows no state, once more when it is. */
export async function lookUntil(
  c: Context,
  session: OpenSession,
  for_ms: number,
  states: readonly ('closing' | 'closed' | 'failed')[],
): Promise<Exchange> {
  const rounds = Math.max(1, Math.ceil(for_ms / pause_ms))
  for (let round = 1; ; round += 1) {
    const answered = await look(c, session)
    if (ended(answered, session, states) || round > rounds) return answered
    const left = isSilent(answered, session) ? rounds - round + 1 : 1
    await c.wait(left * pause_ms, 'timer')
    round += left - 1
  }
}
