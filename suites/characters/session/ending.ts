import type { RequirementId } from '#spec/register'
import type { Context, OpenSession } from '#scenario/author/context'
import { outcome, type Rows } from '#scenario/author/expectation'
import { poll } from '#scenario/author/poll'
import { sightOfEnd, sightOfLife } from '#scenario/author/sessions/sight'
import { decides, ended, look, saysEnding, saysGoingOn, type Round } from '#scenario/author/session-ending'

const ends = ['closing', 'closed', 'failed']

/** A session that something ends so many seconds after it was started. */
interface Deadline<Row extends RequirementId> {
  readonly session: OpenSession
  readonly seconds: number
  readonly rows: Rows<Row>
  /** By our clock, when the start was answered. */
  readonly at: number
}

/** Waits until Get says that the session is over, at the latest a grace after its deadline. */
export async function endsInTime<Row extends RequirementId>(
  c: Context<Row>,
  { session, seconds, rows, at: started }: Deadline<Row>,
): Promise<void> {
  const grace = c.timeouts.auto_close_grace_ms
  await until(c, started + seconds * 1_000 + 500)
  const looked = await poll(
    c,
    () => look(c, session),
    (shown) => ended(shown, session, ends),
    { within_ms: started + seconds * 1_000 + grace + 3_000 - performance.now(), first: 3_000, factor: 1, why: 'timer' },
  )
  const limit = { exchange: session.exchange, edge: 'answered', plus_ms: seconds * 1_000 + grace } as const
  const last = await sightOfEnd(c, session, looked)
  c.expect(
    outcome(rows, () => saysEnding(last), { onlyIf: decides(last, limit) }),
    looked.exchange,
  )
}

/** Looks after so many seconds: the session is still open, though another timer would have ended it. */
export async function staysOpen<Row extends RequirementId>(
  c: Context<Row>,
  { session, seconds, rows, at: started, round }: Deadline<Row> & { readonly round: Round },
): Promise<void> {
  await until(c, started + seconds * 1_000 + c.timeouts.auto_close_grace_ms + 1_000)
  const looked = await look(c, session)
  const shown = await sightOfLife(c, session, looked)
  const conditions = [saysGoingOn(looked.exchange), ...(shown === undefined ? [] : [shown.condition])]
  const claims = conditions.map((condition) => ({ condition }))
  round.goesOn(c, { session, rows, claims, looked, isTold: shown?.isOver })
}

async function until(c: Context, moment: number): Promise<void> {
  const left = moment - performance.now()
  if (left > 0) await c.wait(left, 'timer')
}
