import type { OpenSession } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import { accepted } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import type { FullFloor } from './fill.ts'
import { tryCreate, closeOne, look } from './floor.ts'
import { freeWhenClosed, mustBeCreated } from './freed-place.ts'
import { gone } from './gone.ts'

interface Life {
  readonly seconds: number
  readonly fields: JsonObject
}

/** The shortest duration, and the shortest disconnected timeout (section 8). */
const expiring: Life = { seconds: 4, fields: { max_duration_seconds: 4 } }
const leftAlone: Life = { seconds: 10, fields: { auto_close: { disconnected_timeout_seconds: 10 } } }
/** Time to notice that it is over. */
const momentMs = 700

/** "Close ended ones that still hold concurrency quota" (4.1): it may do so until then, and not afterwards. */
const takePlace = step([freeWhenClosed], async (c, floor: FullFloor, ended: OpenSession): Promise<void> => {
  const exchange = c.exchange()
  const free = accepted(exchange)
  c.claim(freeWhenClosed, free, { given: [free], given_code: 'model_choice' })
  if ((await tryCreate(c, floor, textChat(c.id('place')), exchange)).ok) return
  await c.close(ended)
  await gone(c, ended)
  await c.wait(c.timeouts.lag_ms, 'lag')
  await mustBeCreated(c, floor, freeWhenClosed)
})

const endInPlace = step([takePlace], async (c, floor: FullFloor, { seconds, fields }: Life): Promise<void> => {
  const [oldest] = floor.open
  if (oldest === undefined) return
  await closeOne(c, floor, oldest)
  await gone(c, oldest)
  const body = { ...textChat(c.id('brief')), ...fields }
  const answered = await tryCreate(c, floor, body, c.exchange())
  const brief = floor.open.at(-1)
  if (!answered.ok || brief === undefined) return
  // A create that is repeated with its key makes no session, so that it takes no place either.
  await tryCreate(c, floor, body, c.exchange())
  await c.wait(seconds * 1_000 + momentMs, 'timer')
  const told = await gone(c, brief)
  floor.open.splice(floor.open.indexOf(brief), 1)
  if (told && (await look(c, floor, brief)) === 'alone') await takePlace(c, floor, brief)
})

/**
 * A session that ends by itself frees its place, too: by its duration, and, where there is time for it, left alone; the walk
 * over places has one that ends by its duration then.
 */
export const expireInPlace = step([endInPlace], async (c, floor: FullFloor): Promise<void> => {
  await endInPlace(c, floor, c.tier === 'full' ? leftAlone : expiring)
})
