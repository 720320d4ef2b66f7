import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import { ended, look, saysEnding, saysOpen } from '#scenario/author/session-ending'
import { any, before } from '#trace/conditions'

const ends = ['closing', 'closed', 'failed']

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
  while (
    !ended(await look(c, session, { exchange }), ends) &&
    performance.now() < started + seconds * 1_000 + grace + 3_000
  ) {
    await c.wait(3_000, 'timer')
    exchange = c.exchange()
  }
  const limit = { exchange: session.exchange, edge: 'answered', plus_ms: seconds * 1_000 + grace } as const
  const late = any(saysEnding(exchange), before(limit, { exchange }))
  for (const row of rows) c.claim(row, saysEnding(exchange), { given: [late], given_code: 'model_choice' })
}

/** Looks after so many seconds: the session is still open, though another timer would have ended it. */
export async function staysOpen(c: Context, { session, seconds, rows, at: started }: Deadline): Promise<void> {
  const exchange = c.exchange()
  for (const row of rows) for (const condition of saysOpen(exchange)) c.claim(row, condition)
  await until(c, started + seconds * 1_000 + c.timeouts.auto_close_grace_ms + 1_000)
  await look(c, session, { exchange })
}

async function until(c: Context, moment: number): Promise<void> {
  const left = moment - performance.now()
  if (left > 0) await c.wait(left, 'timer')
}
