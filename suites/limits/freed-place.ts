import type { Exchange } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import { accepted, answer, any, different, equals, oneOf, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import { tryCreate, type Floor, full, closeOne, look } from './floor.ts'
import { gone } from './gone.ts'

const freed: RequirementId = 'errors.code-30006.freed-by-close'
const retried: RequirementId = 'errors.retry.after-30006-same-key'
export const freedRows: readonly RequirementId[] = [freed, retried]

/** Tries where Get tells that the session is closed, and where it does not. */
const tries = { told: 3, untold: 6 }

/** Closes a session of a full workspace and sends a create that was refused there once more, with its key. */
export async function retryInFreedPlace(floor: Floor, body: JsonObject): Promise<void> {
  const { context } = floor
  const [oldest] = floor.open
  if (oldest === undefined) return context.block('prerequisite', 'no session is open')
  const numbers = Array.from({ length: tries.untold }, () => context.exchange())
  for (const row of freedRows) context.claim(row, any(...numbers.map((exchange) => accepted(exchange))))
  await closeOne(floor, oldest)
  let sure = false
  for (const [place, exchange] of numbers.entries()) {
    // Whether `closing` still holds the place is left open, so the first try may well be too early.
    if (place === 1) sure = await gone(context, oldest)
    if (place > 1) await context.wait(pauseBefore(context, place), 'backoff')
    const answered = await tryCreate(floor, body, exchange)
    if (answered.ok) return
    if (sure && place + 1 >= tries.told) break
  }
  if (!sure) context.block('model_choice', 'Get does not tell when a session is closed')
  await convict(floor, body)
}

/** 1.5, 3 and then 5 seconds, but none that is too short for the target to notice that a place is free. */
export function pauseBefore({ timeouts }: Context, place: number): number {
  return Math.max(Math.min(1_500 * 2 ** (place - 2), 5_000), timeouts.lag_ms)
}

/** The place is free and nobody else is there to take it, so refusing is wrong: is it the key, or the place? */
async function convict(floor: Floor, body: JsonObject): Promise<void> {
  const { context } = floor
  await assertNobodyElse(floor)
  const fresh = context.exchange()
  const nothing: RequirementId = 'limits.concurrency.refused-create-holds-nothing'
  claimAdmitted(floor, fresh, freed, 'limits.concurrency.slot-free-when-closed', nothing)
  const admitted = await tryCreate(floor, textChat(context.id('place')), fresh)
  const last = floor.open.at(-1)
  if (!admitted.ok || last === undefined) return context.block('prerequisite', 'no place became free')
  await closeOne(floor, last)
  await gone(context, last)
  const again = context.exchange()
  claimAdmitted(floor, again, retried)
  const answered = await tryCreate(floor, body, again)
  if (!answered.ok) await tryCreate(floor, textChat(context.id('place')), context.exchange())
}

/** Somebody else may have taken the place: then nothing here is the target's fault. */
export async function assertNobodyElse(floor: Floor): Promise<void> {
  const { context } = floor
  if ((await look(floor)) !== 'alone') context.block('quota', 'others use the workspace, too')
}

/** Unlike `accepted`, this forgives no 30006; only what speaks of other limits. */
function claimAdmitted(floor: Floor, exchange: number, ...rows: readonly RequirementId[]): void {
  const code = answer(exchange, '/code')
  const given = [different(code, oneOf(10008, 30008))]
  for (const row of rows) floor.context.claim(row, equals(code, value(0)), { given })
}

/** A create into a place that must be free, and nothing forgives its refusal. */
export async function mustBeCreated(floor: Floor, row: RequirementId): Promise<Exchange> {
  const { context } = floor
  const exchange = context.exchange()
  claimAdmitted(floor, exchange, row)
  return tryCreate(floor, textChat(context.id('place')), exchange)
}

export function isFull({ code }: Exchange): boolean {
  return code === full
}
