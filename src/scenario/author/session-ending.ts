import type { Channel, Exchange } from '#client/types'
import type { Call, Context, OpenSession } from './context.ts'
import type { Rows, Terms } from './expectation.ts'
import type { RequirementId } from '#spec/register'
import { ending, stateIn } from '#judge/sessions/session-end'
import {
  accepted,
  all,
  any,
  before,
  different,
  equals,
  oneOf,
  sessionState,
  stateByOpening,
  value,
} from '#trace/conditions'
import type { Condition, Operand, Point } from '#trace/claim'

/** What tells how a session fares: the number of a Get, or of an opening with its secret where Get shows no status (4.1). */
export type Sight = number | { readonly channel: number }

const stateOf = (sight: Sight): Operand =>
  typeof sight === 'number' ? sessionState(sight) : stateByOpening(sight.channel)

const over = ['closed', 'failed', 'not found'] as const

/** Get says that the session is over: `closed` or `failed`, or 20005. */
export const saysOver = (sight: Sight): Condition => equals(stateOf(sight), oneOf(...over))

/**
 * Get says how the session fares: a rate limit or a mishap says nothing, nor does a payload, which is not shown (4.1),
 * without a status of it.
 */
export const tells = (sight: Sight): Condition => equals(stateOf(sight), oneOf('active', 'closing', ...over))

/** Get says that the session has ended, or is about to: its cleanup may take a while (3.1). */
export const saysEnding = (sight: Sight): Condition => equals(stateOf(sight), oneOf('closing', ...over))

/** Get says that the session is open; one that is behind says so of a session that ended a moment ago. */
export const saysOpen = (sight: Sight): Condition => equals(stateOf(sight), value('active'))

/** It decides whether the session was over by this limit: it says so, or that it goes on though the limit has passed. */
export const decides = (sight: Sight, limit: Point): readonly Condition[] => [
  tells(sight),
  any(saysEnding(sight), before(limit, typeof sight === 'number' ? { exchange: sight } : { ...sight, edge: 'opened' })),
]

/** Get finds the session, and says that it goes on; where it says nothing of it, nothing is seen. */
export const saysGoingOn = (exchange: number): Condition =>
  all(accepted(exchange), different(sessionState(exchange), oneOf(...ending)))

/** One Get. */
export function look<Row extends RequirementId>(
  c: Context<Row>,
  session: OpenSession,
  call: Pick<Call<Row>, 'exchange' | 'expect'> = {},
): Promise<Exchange> {
  return c.call('get-avatar-session', { ...call, key: session.key, params: { session_id: session.id } })
}

/** Whether an answer of Get speaks of an end, for steering: it reads what claims read. */
export function ended(
  answered: Exchange,
  { id }: Pick<OpenSession, 'id'>,
  states: readonly string[] = ['closed', 'failed'],
): boolean {
  return answered.code === 20005 || (answered.ok && states.includes(stateIn(answered.data, id) ?? ''))
}

/** A connection was told that its session has ended, which it may be not (6.2). */
export function tellsOfEnd(channel: Pick<Channel, 'frames'> | undefined): boolean {
  return channel?.frames.some(({ type }) => type === 'session.closed') === true
}

/** A session was over before anything that is looked at can have ended it. */
class EndedEarly extends Error {
  readonly session: OpenSession

  constructor(session: OpenSession) {
    super(`the session ${session.id} ended early`)
    this.session = session
  }
}

/** What is to hold of a session that goes on, and the look that shows whether it does. */
interface GoingOn<Row extends RequirementId> {
  readonly session: OpenSession
  readonly rows: Rows<Row>
  readonly claims: readonly { readonly condition: Condition; readonly terms?: Terms }[]
  readonly looked: Exchange
  /** Whether its end was told on its channel. */
  readonly isTold?: boolean | undefined
}

/** One of two rounds of the same thing, each with a session of its own. */
export class Round {
  readonly #before = new Map<RequirementId, Condition>()
  #isLast = false

  /** Claims that the session goes on. The first one that does not ends the round, and is no more than a part of what the other one claims. */
  goesOn<Row extends RequirementId>(c: Context<Row>, going: GoingOn<Row>): void {
    const { session, claims, looked, isTold = false } = going
    const rows: readonly Row[] = typeof going.rows === 'string' ? [going.rows] : going.rows
    if (!this.#isLast && (isTold || ended(looked, session, ending))) {
      const whole = all(...claims.map(({ condition }) => condition))
      for (const row of rows) this.#before.set(row, whole)
      throw new EndedEarly(session)
    }
    for (const row of rows) {
      const other = this.#before.get(row)
      for (const { condition, terms } of claims) {
        c.claim(row, other === undefined ? condition : any(other, condition), terms)
      }
    }
  }

  /**
   * Opens a connection. Where the session is over by then, that ends the first round, too.
   *
   * @throws Blocked unless it was admitted
   */
  async connect<Row extends RequirementId>(c: Context<Row>, session: OpenSession): Promise<Channel> {
    if (this.#isLast) return c.connect(session)
    const channel = await c.open(session)
    if (channel.state === 'open') return channel
    if (tellsOfEnd(channel) || ended(await look(c, session), session, ending)) throw new EndedEarly(session)
    return c.connect(session)
  }

  /** The other round, which is the last. */
  again(): void {
    this.#isLast = true
  }
}

/**
 * "The service may also close a session for account limits, idle timeout, failures or maintenance" (3.1): where it ends one
 * while we wait, the same is done with another one, and only what ends both was no accident.
 */
export async function onceMoreIfEnded(c: Context, drive: (round: Round) => Promise<unknown>): Promise<void> {
  const round = new Round()
  try {
    await drive(round)
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error
    await c.close(error.session)
    round.again()
    await drive(round)
  }
}
