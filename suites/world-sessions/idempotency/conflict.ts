import type { Context } from '#scenario/author/context'
import type { Exchange } from '#client/types'
import { orAccepted, rejection } from '#scenario/author/expectation'
import type { Condition } from '#trace/claim'
import { answer, any, equals, oneOf, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { ask, sendCreate, type World, worldOf } from '../send.ts'

const row = 'world-sessions.idempotency'

/** Rows that say what another body under a known key comes to. */
export const conflictRows = [
  `${row}.other-body-conflict`,
  `${row}.other-nested-value-conflict`,
  `${row}.conflict-code`,
] as const

type ConflictRow = (typeof conflictRows)[number]

/**
 * "Idempotency key reused with a different body" (section 7). The key of a session that failed, or ended by itself since, may
 * be free again (3.2): where a session is made, a look tells whether the first one goes on.
 */
export async function conflict(
  c: Context<ConflictRow>,
  body: JsonObject,
  { of: rows, world }: { readonly of: Exclude<ConflictRow, `${string}-code`>; readonly world: World },
): Promise<void> {
  const look = c.exchange()
  const coded = `${row}.conflict-code` as const
  const refused = rejection({ rows, coded, codes: [30004], control: world.exchange })
  const expect = orAccepted(refused, () => any(showsEnd(world.exchange), showsEnd(look)))
  await endOther(c, world, await sendCreate(c, body, { key: world.key, expect }), look)
}

/** Closes the session that was made in the place of another one, which is looked at. */
export async function endOther(c: Context, world: World, made: Exchange, exchange = c.exchange()): Promise<void> {
  const other = worldOf(made, world.key)
  if (other === undefined || other.id === world.id) return
  await ask(c, 'get-world-session', world, { exchange })
  await ask(c, 'close-world-session', other)
}

const showsEnd = (exchange: number): Condition =>
  any(
    equals(answer(exchange, '/data/status'), oneOf('closing', 'closed', 'failed')),
    equals(answer(exchange, '/code'), value(20005)),
  )
