import type { Exchange } from '#client/types'
import type { Call, Context, OpenSession } from './context.ts'
import { acceptance, type Expectation, outcome, type Rows, type Terms, together } from './expectation.ts'
import type { RequirementId } from '#spec/register'
import { speaksOfEnd } from '#judge/session-end'
import { any, answer, before, different, equals, oneOf, value } from '#trace/conditions'
import type { Condition, Point } from '#trace/claim'
import { at } from '#trace/json'

/** Get says that the session is over: `closed` or `failed` anywhere in its data, or 20005. */
export const saysOver = (exchange: number): Condition =>
  any(equals(answer(exchange, '/data/**'), oneOf('closed', 'failed')), equals(answer(exchange, '/code'), value(20005)))

/**
 * Get says how the session fares: a rate limit or a mishap says nothing, nor does a payload, which is not shown (4.1),
 * without a status.
 */
export const tells = (exchange: number): Condition =>
  any(
    equals(answer(exchange, '/data/**'), oneOf('active', 'closing', 'closed', 'failed')),
    equals(answer(exchange, '/code'), value(20005)),
  )

/** Get says that the session has ended, or is about to: its cleanup may take a while (3.1). */
export const saysEnding = (exchange: number): Condition =>
  any(saysOver(exchange), equals(answer(exchange, '/data/**'), value('closing')))

/** A Get decides whether the session was over by this limit: it says so, or that it goes on though the limit has passed. */
export const decides = (exchange: number, limit: Point): readonly Condition[] => [
  tells(exchange),
  any(saysEnding(exchange), before(limit, { exchange })),
]

/** That Get says that the session goes on: it is found, and no status speaks of an end. */
export function goingOn<const Row extends RequirementId>(rows: Rows<Row>, terms: Terms = {}): Expectation<Row> {
  const isNotEnding = (exchange: number) =>
    different(answer(exchange, '/data/status'), oneOf('closing', 'closed', 'failed'))
  return together(acceptance(rows, terms), outcome(rows, isNotEnding, terms))
}

/** One Get. */
export function look<Row extends RequirementId>(
  c: Context<Row>,
  session: OpenSession,
  call: Pick<Call<Row>, 'exchange' | 'expect'> = {},
): Promise<Exchange> {
  return c.call('get-avatar-session', { ...call, key: session.key, params: { session_id: session.id } })
}

/** Whether an answer of Get speaks of an end, for steering. */
export function ended(answered: Exchange, states: readonly string[] = ['closed', 'failed']): boolean {
  return answered.code === 20005 || speaksOfEnd(at(answered.body, '/data'), states) === true
}
