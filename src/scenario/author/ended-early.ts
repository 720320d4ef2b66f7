import type { RequirementId } from '#spec/register'
import type { Exchange } from '#client/types'
import { ending } from '#judge/session-end'
import type { Condition } from '#trace/claim'
import { all, any } from '#trace/conditions'
import type { Context, OpenSession } from './context.ts'
import type { Rows, Terms } from './expectation.ts'
import { ended } from './session-ending.ts'

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
  readonly isTold?: boolean
}

/** One of two attempts at the same thing, each with a session of its own. */
export class Attempt {
  readonly #before = new Map<RequirementId, Condition>()
  #isLast = false

  /** Claims that the session goes on. The first one that does not ends the attempt, and is no more than a part of what the other one claims. */
  goesOn<Row extends RequirementId>(c: Context<Row>, going: GoingOn<Row>): void {
    const { session, claims, looked, isTold = false } = going
    const rows: readonly Row[] = typeof going.rows === 'string' ? [going.rows] : going.rows
    if (!this.#isLast && (isTold || ended(looked, session, ending))) {
      const whole = all(...claims.map(({ condition }) => condition))
      for (const row of rows) this.#before.set(row, whole)
      throw new EndedEarly(session)
    }
    for (const row of rows) {
      const before = this.#before.get(row)
      for (const { condition, terms } of claims) {
        c.claim(row, before === undefined ? condition : any(before, condition), terms)
      }
    }
  }

  /** The other attempt, which is the last. */
  again(): void {
    this.#isLast = true
  }
}

/**
 * "The service may also close a session for account limits, idle timeout, failures or maintenance" (3.1): where it ends one
 * while we wait, the same is done with another one, and only what ends both was no accident.
 */
export async function onceMoreIfEnded(c: Context, drive: (attempt: Attempt) => Promise<unknown>): Promise<void> {
  const attempt = new Attempt()
  try {
    await drive(attempt)
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error
    await c.close(error.session)
    attempt.again()
    await drive(attempt)
  }
}
