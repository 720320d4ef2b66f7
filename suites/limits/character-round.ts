import type { Exchange } from '#client/types'
import type { RequirementId } from '#spec/register'
import { accepted, answer, any, different, equals, oneOf, rejected, value } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import { type FullFloor, otherCauses } from './fill.ts'
import { blameExcess, tryCreate, full, keep, closeOne, look } from './floor.ts'
import { pauseBefore } from './freed-place.ts'
import { gone } from './gone.ts'

const row: RequirementId = 'limits.concurrency.character-sessions-count'
/** "Does not start a session" (4.2): so a character takes no place. */
const unneeded: RequirementId = 'characters.create.holds-no-quota'
const coded: RequirementId = 'errors.code-30006.cap-exceeded'
const nothing: RequirementId = 'limits.concurrency.refused-create-holds-nothing'
export const characterRows: readonly RequirementId[] = [row, unneeded]

const operation = 'create-session-from-character'

/** At the cap a character starts no session; in a freed place it does, and then the workspace is full again. */
export async function characterRound(floor: FullFloor): Promise<void> {
  const { context } = floor
  if (!context.offers('characters')) return
  const body = await character(floor)
  const [oldest] = floor.open
  if (body === undefined || oldest === undefined) return
  const [refused, one, other] = [context.exchange(), context.exchange(), context.exchange()]
  const started = any(accepted(one), accepted(other))
  const code = answer(refused, '/code')
  const capped = equals(code, value(full))
  context.claim(row, rejected(refused, started, [full]), { given: [capped], given_code: 'model_choice' })
  const passing = different(code, oneOf(0, 10008, 30008, ...(floor.atCap ? [] : otherCauses)))
  // What starts as soon as there is a place was refused for want of one.
  context.claim(coded, capped, { given: [passing, started], given_code: 'model_choice' })
  const early = await start(floor, body, refused)
  if (early.ok) {
    if (floor.alone) await blameExcess(floor, [row], refused)
    return
  }
  await look(floor)
  await closeOne(floor, oldest)
  if ((await gone(context, oldest)) && floor.alone) {
    const created = [one, other].map((exchange) => equals(answer(exchange, '/code'), value(0)))
    context.claim(unneeded, any(...created))
    // A start that was refused holds none either, neither for want of a place nor for a fault.
    context.claim(nothing, any(...created), { given: [capped] })
  }
  await startInVain(floor, body)
  const first = await start(floor, body, one)
  if (!first.ok) {
    await context.wait(pauseBefore(context, 2), 'backoff')
    await start(floor, body, other)
  }
  await forget(floor, body)
  await countsToo(floor)
}

/** An invalid start into the free place. */
async function startInVain(floor: FullFloor, body: JsonObject): Promise<void> {
  const { context } = floor
  const invalid = { ...body, idempotency_key: context.id('invalid'), max_duration_seconds: 3 }
  await start(floor, invalid, context.exchange())
}

/** "Sessions already running are not interrupted" (3.6), so that one whose character is deleted keeps its place. */
async function forget({ context, key }: FullFloor, { character_id }: JsonObject): Promise<void> {
  if (typeof character_id === 'string') await context.call('delete-character', { key, params: { character_id } })
}

async function character({ context, key }: FullFloor): Promise<JsonObject | undefined> {
  const { model, session, avatars } = textChat(context.id('character'))
  const body = { name: context.id('at-the-cap'), model, session, avatars } as JsonObject
  const exchange = context.exchange()
  context.claim(unneeded, different(answer(exchange, '/code'), value(full)))
  const made = await context.call('create-character', { key, body, exchange })
  const character_id = at(made.data, '/character_id')
  return typeof character_id === 'string' ? { character_id, idempotency_key: context.id('start') } : undefined
}

async function start(floor: FullFloor, body: JsonObject, exchange: number): Promise<Exchange> {
  return keep(floor, await floor.context.call(operation, { key: floor.key, body, exchange }))
}

async function countsToo(floor: FullFloor): Promise<void> {
  const { context, positiveControl, alone } = floor
  const exchange = context.exchange()
  context.claim(row, rejected(exchange, positiveControl, [full]), {
    given: [equals(answer(exchange, '/code'), value(full))],
    given_code: 'model_choice',
  })
  const answered = await tryCreate(floor, textChat(context.id('place')), exchange)
  if (answered.ok && alone) await blameExcess(floor, [row], exchange)
}
