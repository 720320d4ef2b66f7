import type { Exchange } from '../../src/client/types.ts'
import type { Context, OpenSession } from '../../src/scenario/context.ts'
import { any, answer, different, equals, oneOf, value } from '../../src/trace/conditions.ts'
import type { Condition } from '../../src/trace/claim.ts'
import { at } from '../../src/trace/json.ts'

/** Get says that the session is over: `closed` or `failed` anywhere in its data, or 20005. */
export const saysOver = (exchange: number): Condition =>
  any(equals(answer(exchange, '/data/**'), oneOf('closed', 'failed')), equals(answer(exchange, '/code'), value(20005)))

/** Get says that the session has ended, or is about to: its cleanup may take a while (3.1). */
export const saysEnding = (exchange: number): Condition =>
  any(saysOver(exchange), equals(answer(exchange, '/data/status'), value('closing')))

/** Get says that the session goes on: it is found, and no status speaks of an end. */
export const saysOpen = (exchange: number): readonly Condition[] => [
  equals(answer(exchange, '/code'), value(0)),
  different(answer(exchange, '/data/status'), oneOf('closing', 'closed', 'failed')),
]

/** One Get under a number that claims can name. */
export function look(c: Context, session: OpenSession, exchange: number): Promise<Exchange> {
  return c.call('get-avatar-session', { exchange, key: session.key, params: { session_id: session.id } })
}

/** Whether an answer of Get speaks of an end, for steering. */
export function ended(answered: Exchange, states: readonly string[] = ['closed', 'failed']): boolean {
  const status = at(answered.body, '/data/status')
  return answered.code === 20005 || (typeof status === 'string' && states.includes(status))
}

/** Looks every few seconds until Get shows one of these states or time is over; the number of the last look. */
export async function lookUntil(
  c: Context,
  session: OpenSession,
  for_ms: number,
  states: readonly ('closing' | 'closed' | 'failed')[],
): Promise<number> {
  const rounds = Math.max(1, Math.ceil(for_ms / 3_000))
  for (let round = 1; ; round += 1) {
    const exchange = c.exchange()
    const answered = await look(c, session, exchange)
    if (ended(answered, states) || round > rounds) return exchange
    await c.wait(3_000, 'timer')
  }
}
