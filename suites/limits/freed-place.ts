import type { Exchange } from '#client/types'
import { billingCodes } from '#spec/code-groups'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import type { Condition } from '#trace/claim'
import { accepted, answer, any, different, equals, oneOf, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import { tryCreate, type Floor, full, closeOne, look } from './floor.ts'
import { gone } from './gone.ts'

const freed = 'errors.code-30006.freed-by-close'
const retried = 'errors.retry.after-30006-same-key'
export const freeWhenClosed = 'limits.concurrency.slot-free-when-closed'
/** A create that was refused holds no place. */
export const holdsNothing = 'limits.concurrency.refused-create-holds-nothing'

/** Tries where Get tells that the session is closed, and where it does not. */
const tries = { told: 3, untold: 6 }

/** 1.5, 3 and then 5 seconds, but none that is too short for the target to notice that a place is free. */
export function pauseBefore({ timeouts }: Context, place: number): number {
  return Math.max(Math.min(1_500 * 2 ** (place - 2), 5_000), timeouts.lag_ms)
}

/** Somebody else may have taken the place: then nothing here is the target's fault. */
export async function assertNobodyElse(c: Context, floor: Floor): Promise<void> {
  if ((await look(c, floor)) !== 'alone') c.block('quota', 'others use the workspace, too')
}

/** Codes of other limits than the cap: of the rate, of capacity, and of what the workspace has paid for. */
const otherLimits = [10008, 30008, ...billingCodes]

/** It was not refused for another limit than the cap. */
export const isNoOtherLimit = (exchange: number): Condition =>
  different(answer(exchange, '/code'), oneOf(...otherLimits))

/** Unlike `accepted`, this forgives no 30006; only what speaks of other limits. */
function claimAdmitted<Row extends RequirementId>(c: Context<Row>, exchange: number, ...rows: readonly Row[]): void {
  const code = answer(exchange, '/code')
  const given = [isNoOtherLimit(exchange)]
  for (const row of rows) c.claim(row, equals(code, value(0)), { given })
}

/** A create into a place that must be free, and nothing forgives its refusal. */
export async function mustBeCreated<Row extends RequirementId>(
  c: Context<Row>,
  floor: Floor,
  row: Row,
): Promise<Exchange> {
  const exchange = c.exchange()
  claimAdmitted(c, exchange, row)
  return tryCreate(c, floor, textChat(c.id('place')), exchange)
}

/** The place is free and nobody else is there to take it, so refusing is wrong: is it the key, or the place? */
const blameKeyOrPlace = step(
  [freed, retried, freeWhenClosed, holdsNothing],
  async (c, floor: Floor, body: JsonObject): Promise<void> => {
    await assertNobodyElse(c, floor)
    const fresh = c.exchange()
    claimAdmitted(c, fresh, freed, freeWhenClosed, holdsNothing)
    const admitted = await tryCreate(c, floor, textChat(c.id('place')), fresh)
    const last = floor.open.at(-1)
    if (!admitted.ok || last === undefined) return c.block('prerequisite', 'no place became free')
    await closeOne(c, floor, last)
    await gone(c, last)
    const again = c.exchange()
    claimAdmitted(c, again, retried)
    const answered = await tryCreate(c, floor, body, again)
    if (!answered.ok) await tryCreate(c, floor, textChat(c.id('place')), c.exchange())
  },
)

/** Closes a session of a full workspace and sends a create that was refused there once more, with its key. */
export const retryInFreedPlace = step(
  [freed, retried, blameKeyOrPlace],
  async (c, floor: Floor, body: JsonObject): Promise<void> => {
    const [oldest] = floor.open
    if (oldest === undefined) return c.block('prerequisite', 'no session is open')
    const numbers = Array.from({ length: tries.untold }, () => c.exchange())
    const admitted = any(...numbers.map((exchange) => accepted(exchange)))
    c.claim(freed, admitted)
    c.claim(retried, admitted)
    // Somebody is connected to it: a service may well forget the place of a session that is in use when it is closed.
    await c.open(oldest)
    await closeOne(c, floor, oldest)
    let sure = false
    for (const [place, exchange] of numbers.entries()) {
      // Whether `closing` still holds the place is left open, so the first try may well be too early.
      if (place === 1) sure = await gone(c, oldest)
      if (place > 1) await c.wait(pauseBefore(c, place), 'backoff')
      const answered = await tryCreate(c, floor, body, exchange)
      if (answered.ok) return
      if (sure && place + 1 >= tries.told) break
    }
    if (!sure) c.block('model_choice', 'Get does not tell when a session is closed')
    await blameKeyOrPlace(c, floor, body)
  },
)

export function isFull({ code }: Exchange): boolean {
  return code === full
}
