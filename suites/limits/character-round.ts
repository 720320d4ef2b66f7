import type { Exchange } from '#client/types'
import type { Context } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import { answer, different, equals, oneOf, rejected, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import { freesPlace, type FullFloor, otherCauses } from './fill.ts'
import { blameExcess, tryCreate, full, keep, closeOne, look } from './floor.ts'
import { anyAccepted, fillBeside, fillBesideWorld, numbersFor, saveOne } from './placeless.ts'

const row = 'limits.concurrency.character-sessions-count'
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
const startAtCap = step(
  [row, coded, fillBeside, countsToo],
  async (c, floor: FullFloor, body: JsonObject): Promise<void> => {
    const [oldest] = floor.open
    if (oldest === undefined) return
    const [refused, invalid] = [c.exchange(), c.exchange()]
    const numbers = numbersFor(c)
    const started = anyAccepted(numbers)
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
    await fillBeside(c, floor, {
      numbers,
      isFree: await freesPlace(c, floor, oldest),
      // One that was taken, though it is invalid, has the place by right.
      given: [different(answer(invalid, '/code'), value(0))],
      // A start that was refused holds none either, neither for want of a place nor for a fault.
      refused: capped,
      before: () => startInVain(c, floor, body, invalid),
      send: (exchange) => start(c, floor, body, exchange),
    })
    await forget(c, floor, body)
    await countsToo(c, floor)
  },
)

/** Where characters are offered and one can be saved, a session from it fills the place that is freed; otherwise another one. */
export const characterRound = step(
  [saveOne, startAtCap, fillBesideWorld],
  async (c, floor: FullFloor): Promise<void> => {
    const character_id = c.offers('characters') ? await saveOne(c, floor, 'at-the-cap') : undefined
    if (character_id === undefined) await fillBesideWorld(c, floor)
    else await startAtCap(c, floor, { character_id, idempotency_key: c.id('start') })
  },
)
