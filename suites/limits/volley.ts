import type { RequirementId } from '#spec/register'
import type { Condition } from '#trace/claim'
import { accepted, all, any, rejected } from '#trace/conditions'
import { textChat } from './bodies.ts'
import { blameExcess, tryCreate, full, keep, closeOne, look } from './floor.ts'
import type { FullFloor } from './fill.ts'
import { assertNobodyElse, mustBeCreated, pauseBefore } from './freed-place.ts'
import { gone } from './gone.ts'

const within: RequirementId = 'limits.concurrency.volley-within-cap'
const free: RequirementId = 'limits.concurrency.slot-free-when-closed'
const nothing: RequirementId = 'limits.concurrency.refused-create-holds-nothing'
export const volleyRows: readonly RequirementId[] = [within, free, nothing]

const size = 4
const stragglers = 4

/** One place is freed; creates that must be refused come first, then several good ones come at once. */
export async function volley(floor: FullFloor): Promise<void> {
  const { context } = floor
  const [oldest] = floor.open
  if (oldest === undefined) return context.block('prerequisite', 'no session is open')
  await closeOne(floor, oldest)
  const sure = await gone(context, oldest)
  const invalid = context.exchange()
  await tryCreate(floor, { ...textChat(context.id('invalid')), max_duration_seconds: 3 }, invalid)
  await startOfNobody(floor)
  const numbers = Array.from({ length: size }, () => context.exchange())
  const later = Array.from({ length: stragglers }, () => context.exchange())
  const someone = any(...[...numbers, ...later].map((exchange) => accepted(exchange)))
  context.claim(free, someone)
  context.claim(nothing, someone, { given: [rejected(invalid, floor.positiveControl)] })
  const atMostOne = all(...pairs(numbers).map(([one, other]) => any(isRefused(floor, one), isRefused(floor, other))))
  context.claim(within, atMostOne, { given: [atMostOne], given_code: 'model_choice' })
  const answers = await Promise.all(
    numbers.map((exchange) => tryCreate(floor, textChat(context.id('volley')), exchange)),
  )
  const created = numbers.filter((_, place) => answers[place]?.ok)
  const [, extra] = created
  if (extra !== undefined && floor.alone) await blameExcess(floor, [within], extra)
  if (created.length === 0) await straggle(floor, later, sure)
}

/** A start from a character that there is none of. */
async function startOfNobody(floor: FullFloor): Promise<void> {
  const { context, key } = floor
  if (!context.offers('characters')) return
  const body = { character_id: `chr_${context.id('nobody')}`, idempotency_key: context.id('start') }
  keep(floor, await context.call('create-session-from-character', { key, body }))
}

/**
 * Nobody got in. That a closed session frees its place has shown before; what else could hold it is the create that was
 * refused, unless the cleanup is slow or somebody else was quicker.
 */
async function straggle(floor: FullFloor, numbers: readonly number[], sure: boolean): Promise<void> {
  const { context } = floor
  await look(floor)
  for (const [place, exchange] of numbers.entries()) {
    await context.wait(pauseBefore(context, place + 2), 'backoff')
    if ((await tryCreate(floor, textChat(context.id('place')), exchange)).ok) return
    if (sure && place > 0) break
  }
  if (!sure) context.block('model_choice', 'Get does not tell when a session is closed')
  await assertNobodyElse(floor)
  await mustBeCreated(floor, nothing)
}

function isRefused({ positiveControl }: FullFloor, exchange: number): Condition {
  return rejected(exchange, positiveControl, [full])
}

function pairs(numbers: readonly number[]): readonly (readonly [number, number])[] {
  return numbers.flatMap((one, place) => numbers.slice(place + 1).map((other) => [one, other] as const))
}
