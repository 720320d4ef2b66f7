import type { Context } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import type { Condition } from '#trace/claim'
import { accepted, all, any, rejected } from '#trace/conditions'
import { textChat } from './bodies.ts'
import { blameExcess, tryCreate, full, keep, closeOne, look } from './floor.ts'
import type { FullFloor } from './fill.ts'
import { assertNobodyElse, freeWhenClosed, holdsNothing, mustBeCreated, pauseBefore } from './freed-place.ts'
import { gone } from './gone.ts'

const within = 'limits.concurrency.volley-within-cap'

const size = 4
const stragglers = 4

/** A start from a character that there is none of. */
async function startOfNobody(c: Context, floor: FullFloor): Promise<void> {
  const { key } = floor
  if (!c.offers('characters')) return
  const body = { character_id: `chr_${c.id('nobody')}`, idempotency_key: c.id('start') }
  keep(c, floor, await c.call('create-session-from-character', { key, body }))
}

interface Stragglers {
  readonly numbers: readonly number[]
  /** Get says that the session which made room is over. */
  readonly sure: boolean
}

/**
 * Nobody got in. That a closed session frees its place has shown before; what else could hold it is the create that was
 * refused, unless the cleanup is slow or somebody else was quicker.
 */
const straggle = step([holdsNothing], async (c, floor: FullFloor, { numbers, sure }: Stragglers): Promise<void> => {
  await look(c, floor)
  for (const [place, exchange] of numbers.entries()) {
    await c.wait(pauseBefore(c, place + 2), 'backoff')
    if ((await tryCreate(c, floor, textChat(c.id('place')), exchange)).ok) return
    if (sure && place > 0) break
  }
  if (!sure) c.block('model_choice', 'Get does not tell when a session is closed')
  await assertNobodyElse(c, floor)
  await mustBeCreated(c, floor, holdsNothing)
})

/** One place is freed; creates that must be refused come first, then several good ones come at once. */
export const volley = step([within, freeWhenClosed, straggle], async (c, floor: FullFloor): Promise<void> => {
  const [oldest] = floor.open
  if (oldest === undefined) return c.block('prerequisite', 'no session is open')
  await closeOne(c, floor, oldest)
  const sure = await gone(c, oldest)
  const invalid = c.exchange()
  await tryCreate(c, floor, { ...textChat(c.id('invalid')), max_duration_seconds: 3 }, invalid)
  await startOfNobody(c, floor)
  const numbers = Array.from({ length: size }, () => c.exchange())
  const later = Array.from({ length: stragglers }, () => c.exchange())
  const someone = any(...[...numbers, ...later].map((exchange) => accepted(exchange)))
  c.claim(freeWhenClosed, someone)
  c.claim(holdsNothing, someone, { given: [rejected(invalid, floor.positiveControl)] })
  const atMostOne = all(...pairs(numbers).map(([one, other]) => any(isRefused(floor, one), isRefused(floor, other))))
  c.claim(within, atMostOne, { given: [atMostOne], given_code: 'model_choice' })
  const answers = await Promise.all(numbers.map((exchange) => tryCreate(c, floor, textChat(c.id('volley')), exchange)))
  const created = numbers.filter((_, place) => answers[place]?.ok)
  const [, extra] = created
  if (extra !== undefined && floor.alone) await blameExcess(c, floor, [within], extra)
  if (created.length === 0) await straggle(c, floor, { numbers: later, sure })
})

function isRefused({ positiveControl }: FullFloor, exchange: number): Condition {
  return rejected(exchange, positiveControl, [full])
}

function pairs(numbers: readonly number[]): readonly (readonly [number, number])[] {
  return numbers.flatMap((one, place) => numbers.slice(place + 1).map((other) => [one, other] as const))
}
