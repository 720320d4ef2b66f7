import type { Exchange } from '../../src/client/types.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context, OpenSession } from '../../src/scenario/context.ts'
import type { Condition } from '../../src/trace/claim.ts'
import { any, answer, before, different, equals, oneOf, value } from '../../src/trace/conditions.ts'
import { at } from '../../src/trace/json.ts'

/** Get says that the session has ended, or is about to: its cleanup may take a while (3.1). Or it is found no more. */
const saysOver = (exchange: number): Condition =>
  any(
    equals(answer(exchange, '/data/**'), oneOf('closed', 'failed')),
    equals(answer(exchange, '/data/status'), value('closing')),
    equals(answer(exchange, '/code'), value(20005)),
  )

/** Get says that the session goes on. */
const saysOpen = (exchange: number): readonly Condition[] => [
  equals(answer(exchange, '/code'), value(0)),
  different(answer(exchange, '/data/status'), oneOf('closing', 'closed', 'failed')),
]

function look(c: Context, session: OpenSession, exchange: number): Promise<Exchange> {
  return c.call('get-avatar-session', { exchange, key: session.key, params: { session_id: session.id } })
}

function isOver(came: Exchange): boolean {
  const status = at(came.body, '/data/status')
  return came.code === 20005 || status === 'closing' || status === 'closed' || status === 'failed'
}

/** A session that something ends so many seconds after it was started. */
export interface Deadline {
  readonly session: OpenSession
  readonly seconds: number
  readonly rows: readonly RequirementId[]
  /** By our clock, when the start was answered. */
  readonly at: number
}

/** Waits until Get says that the session is over, at the latest a grace after its deadline. */
export async function endsInTime(c: Context, { session, seconds, rows, at: started }: Deadline): Promise<void> {
  const grace = c.timeouts.auto_close_grace_ms
  await until(c, started + seconds * 1_000 + 500)
  let exchange = c.exchange()
  while (!isOver(await look(c, session, exchange)) && performance.now() < started + seconds * 1_000 + grace + 3_000) {
    await c.wait(3_000, 'timer')
    exchange = c.exchange()
  }
  const limit = { exchange: session.exchange, edge: 'answered', plus_ms: seconds * 1_000 + grace } as const
  const late = any(saysOver(exchange), before(limit, { exchange, edge: 'answered' }))
  for (const row of rows) c.claim(row, saysOver(exchange), { given: [late], given_code: 'model_choice' })
}

/** Looks after so many seconds: the session is still open, though another timer would have ended it. */
export async function staysOpen(c: Context, { session, seconds, rows, at: started }: Deadline): Promise<void> {
  const exchange = c.exchange()
  for (const row of rows) for (const condition of saysOpen(exchange)) c.claim(row, condition)
  await until(c, started + seconds * 1_000 + c.timeouts.auto_close_grace_ms + 1_000)
  await look(c, session, exchange)
}

async function until(c: Context, moment: number): Promise<void> {
  const left = moment - performance.now()
  if (left > 0) await c.wait(left, 'timer')
}
