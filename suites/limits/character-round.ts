import type { Exchange } from '#client/types'
import type { Context } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import { accepted, all, answer, any, different, equals, oneOf, rejected, value } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { savedChat, textChat } from './bodies.ts'
import { type FullFloor, otherCauses } from './fill.ts'
import { blameExcess, tryCreate, full, keep, closeOne, look } from './floor.ts'
import { holdsNothing, isNoOtherLimit, pauseBefore } from './freed-place.ts'
import { gone } from './gone.ts'

const row = 'limits.concurrency.character-sessions-count'
/** "Does not start a session" (4.2): so a character takes no place. */
const unneeded = 'characters.create.holds-no-quota'
const coded = 'errors.code-30006.cap-exceeded'

const operation = 'create-session-from-character'

/** An invalid start into the free place. */
async function startInVain(c: Context, floor: FullFloor, body: JsonObject, exchange: number): Promise<void> {
  await start(c, floor, { ...body, idempotency_key: c.id('invalid'), max_duration_seconds: 3 }, exchange)
}

/** "Sessions already running are not interrupted" (3.6), so that one whose character is deleted keeps its place. */
async function forget(c: Context, { key }: FullFloor, { character_id }: JsonObject): Promise<void> {
  if (typeof character_id === 'string') await c.call('delete-character', { key, params: { character_id } })
}

const character = step([unneeded], async (c, { key }: FullFloor): Promise<JsonObject | undefined> => {
  const body = savedChat(textChat(c.id('character')), c.id('at-the-cap'))
  const exchange = c.exchange()
  c.claim(unneeded, different(answer(exchange, '/code'), value(full)))
  const made = await c.call('create-character', { key, body, exchange })
  const character_id = at(made.data, '/character_id')
  return typeof character_id === 'string' ? { character_id, idempotency_key: c.id('start') } : undefined
})

async function start(c: Context, floor: FullFloor, body: JsonObject, exchange: number): Promise<Exchange> {
  return keep(c, floor, await c.call(operation, { key: floor.key, body, exchange }))
}

/** Capacity may lack for a moment at the cap, too: a start is sent again, until no moment lasts so long. */
const again = { times: 2, pause_ms: 16_500 }

async function startPastMoment(c: Context, floor: FullFloor, body: JsonObject, exchange: number): Promise<Exchange> {
  let answered = await start(c, floor, body, exchange)
  for (let time = 0; time < again.times && floor.atCap && answered.code === 30008; time += 1) {
    await c.wait(again.pause_ms, 'backoff')
    answered = await start(c, floor, body, exchange)
  }
  return answered
}

const countsToo = step([row], async (c, floor: FullFloor): Promise<void> => {
  const { positiveControl, alone } = floor
  const exchange = c.exchange()
  c.claim(row, rejected(exchange, positiveControl, [full]), {
    given: [equals(answer(exchange, '/code'), value(full))],
    given_code: 'model_choice',
  })
  const answered = await tryCreate(c, floor, textChat(c.id('place')), exchange)
  if (answered.ok && alone) await blameExcess(c, floor, [row], exchange)
})

/** At the cap a character starts no session; in a freed place it does, and then the workspace is full again. */
export const characterRound = step(
  [row, coded, holdsNothing, character, countsToo],
  async (c, floor: FullFloor): Promise<void> => {
    if (!c.offers('characters')) return
    const body = await character(c, floor)
    const [oldest] = floor.open
    if (body === undefined || oldest === undefined) return
    const [refused, invalid, one, other] = [c.exchange(), c.exchange(), c.exchange(), c.exchange()]
    const started = any(accepted(one), accepted(other))
    const code = answer(refused, '/code')
    const capped = equals(code, value(full))
    c.claim(row, rejected(refused, started, [full]), { given: [capped], given_code: 'model_choice' })
    const passing = different(code, oneOf(0, 10008, ...(floor.atCap ? [] : otherCauses)))
    // What starts as soon as there is a place was refused for want of one.
    c.claim(coded, capped, { given: [passing, started], given_code: 'model_choice' })
    const early = await startPastMoment(c, floor, body, refused)
    if (early.ok) {
      if (floor.alone) await blameExcess(c, floor, [row], refused)
      return
    }
    await look(c, floor)
    await closeOne(c, floor, oldest)
    if ((await gone(c, oldest)) && floor.alone) {
      const created = [one, other].map((exchange) => equals(answer(exchange, '/code'), value(0)))
      // Capacity may lack for a while, and the balance be used up.
      const decided = any(...created, all(isNoOtherLimit(one), isNoOtherLimit(other)))
      // One that was taken, though it is invalid, has the place by right.
      const inVain = different(answer(invalid, '/code'), value(0))
      c.claim(unneeded, any(...created), { given: [inVain, decided] })
      // A start that was refused holds none either, neither for want of a place nor for a fault.
      c.claim(holdsNothing, any(...created), { given: [capped, inVain, decided] })
    }
    await startInVain(c, floor, body, invalid)
    const first = await start(c, floor, body, one)
    if (!first.ok) {
      await c.wait(pauseBefore(c, 2), 'backoff')
      await start(c, floor, body, other)
    }
    await forget(c, floor, body)
    await countsToo(c, floor)
  },
)
