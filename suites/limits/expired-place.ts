import type { RequirementId } from '#spec/register'
import type { OpenSession } from '#scenario/author/context'
import { accepted } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import type { FullFloor } from './fill.ts'
import { tryCreate, closeOne, look } from './floor.ts'
import { mustBeCreated } from './freed-place.ts'
import { gone } from './gone.ts'

const row: RequirementId = 'limits.concurrency.slot-free-when-closed'

interface Life {
  readonly seconds: number
  readonly fields: JsonObject
}

/** The shortest duration, and the shortest disconnected timeout (section 8). */
const expiring: Life = { seconds: 4, fields: { max_duration_seconds: 4 } }
const leftAlone: Life = { seconds: 10, fields: { auto_close: { disconnected_timeout_seconds: 10 } } }
/** Time to notice that it is over. */
const momentMs = 700

/** A session that ends by itself frees its place, too: by its duration, and, where there is time for it, left alone. */
export async function expireInPlace(floor: FullFloor): Promise<void> {
  await endInPlace(floor, expiring)
  if (floor.context.tier === 'full') await endInPlace(floor, leftAlone)
}

async function endInPlace(floor: FullFloor, { seconds, fields }: Life): Promise<void> {
  const { context } = floor
  const [oldest] = floor.open
  if (oldest === undefined) return
  await closeOne(floor, oldest)
  await gone(context, oldest)
  const body = { ...textChat(context.id('brief')), ...fields }
  const answered = await tryCreate(floor, body, context.exchange())
  const brief = floor.open.at(-1)
  if (!answered.ok || brief === undefined) return
  // A create that is repeated with its key makes no session, so that it takes no place either.
  await tryCreate(floor, body, context.exchange())
  await context.wait(seconds * 1_000 + momentMs, 'timer')
  const told = await gone(context, brief)
  floor.open.splice(floor.open.indexOf(brief), 1)
  if (told && (await look(floor, brief)) === 'alone') await takePlace(floor, brief)
}

/** "Close ended ones that still hold concurrency quota" (4.1): it may do so until then, and not afterwards. */
async function takePlace(floor: FullFloor, ended: OpenSession): Promise<void> {
  const { context } = floor
  const exchange = context.exchange()
  const free = accepted(exchange)
  context.claim(row, free, { given: [free], given_code: 'model_choice' })
  if ((await tryCreate(floor, textChat(context.id('place')), exchange)).ok) return
  await context.close(ended)
  await gone(context, ended)
  await context.wait(context.timeouts.lag_ms, 'lag')
  await mustBeCreated(floor, row)
}
