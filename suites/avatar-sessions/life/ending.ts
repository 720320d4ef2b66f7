import type { Context, OpenSession } from '#scenario/author/context'
import { ended, look } from '#scenario/author/session-ending'

/** Looks every few seconds until Get shows one of these states or time is over; the number of the last look. */
export async function lookUntil(
  c: Context,
  session: OpenSession,
  for_ms: number,
  states: readonly ('closing' | 'closed' | 'failed')[],
): Promise<number> {
  const rounds = Math.max(1, Math.ceil(for_ms / 3_000))
  for (let round = 1; ; round += 1) {
    const answered = await look(c, session)
    if (ended(answered, session, states) || round > rounds) return answered.exchange
    await c.wait(3_000, 'timer')
  }
}
