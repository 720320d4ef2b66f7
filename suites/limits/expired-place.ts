import type { Context, OpenSession } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import { accepted, any } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import type { FullFloor } from './fill.ts'
import { tryCreate, closeOne, leave, look } from './floor.ts'
import { assertNobodyElse, freeWhenClosed, mustBeCreated, pauseBefore } from './freed-place.ts'
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
/** Creates that may find no place yet: the first before the close, the others for about twenty seconds after it. */
const tries = 6

/** "Close ended ones that still hold concurrency quota" (4.1): it may do so until then, and not afterwards. */
const takePlace = step([freeWhenClosed], async (c, floor: FullFloor, ended: OpenSession): Promise<void> => {
  const early = Array.from({ length: tries }, () => c.exchange())
  const free = any(...early.map((exchange) => accepted(exchange)))
  c.claim(freeWhenClosed, free, { given: [free], given_code: 'model_choice' })
  for (const [place, exchange] of early.entries()) {
    // Get said `closed` before, so that it can't tell when the close has cleaned up, which may take its time (3.1).
    if (place === 1) await closeEnded(c, ended)
    if (place > 0) await c.wait(pauseBefore(c, place), 'backoff')
    if ((await tryCreate(c, floor, textChat(c.id('place')), exchange)).ok) return
  }
  await c.wait(c.timeouts.closed_ms, 'backoff')
  await assertNobodyElse(c, floor)
  await mustBeCreated(c, floor, freeWhenClosed)
})

async function closeEnded(c: Context, ended: OpenSession): Promise<void> {
  await c.close(ended)
  await gone(c, ended)
}

/** One that ended by itself may be listed until it is closed (4.1), but no longer: a prompt target is not asked for more. */
async function unlist(c: Context, floor: FullFloor, ended: OpenSession): Promise<void> {
  await closeEnded(c, ended)
  await look(c, floor, ended)
  if (!floor.listed.has(ended.id)) return
  await c.wait(c.timeouts.closed_ms, 'backoff')
  await look(c, floor)
}

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
  leave(floor, brief)
  if (!told) return
  const sight = await look(c, floor, brief)
  const lingers = floor.listed.has(brief.id)
  if (sight === 'alone') await takePlace(c, floor, brief)
  if (lingers) await unlist(c, floor, brief)
})

/**
 * A session that ends by itself frees its place, too: by its duration, and, where there is time for it, left alone; the walk
 * over places has one that ends by its duration then.
 */
export const expireInPlace = step([endInPlace], async (c, floor: FullFloor): Promise<void> => {
  await endInPlace(c, floor, c.tier === 'full' ? leftAlone : expiring)
})
