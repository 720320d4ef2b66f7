import type { KeyName } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { acceptance, rowsOfRefusals } from '#scenario/author/expectation'
import { mayLast } from '#scenario/author/lifetime'
import { accepted } from '#trace/conditions'
import { countsOnVideo, textChat, videoAvatar } from '#scenario/author/bodies'
import type { JsonObject } from '#trace/json'
import { changed } from '../change.ts'
import { disconnectedOutOfRange, idleOutOfRange } from './limit-refusals.ts'
import { type Ground, sendRefusal } from './refusal.ts'
import type { CreateRow } from './rows.ts'
import { isTaken, tryCreate } from './send.ts'

const timers = {
  disconnected: {
    row: 'limits.disconnected-timeout.3600-accepted',
    set: { '/auto_close/disconnected_timeout_seconds': 3600 },
  },
  idle: {
    row: 'limits.interaction-idle-timeout.3600-accepted',
    set: { '/auto_close/interaction_idle_timeout_seconds': 3600 },
  },
} as const

const tooLong = {
  disconnected: disconnectedOutOfRange(3601, 'limits.disconnected-timeout.3601-rejected'),
  idle: idleOutOfRange(3601, 'limits.interaction-idle-timeout.3601-rejected'),
}

/** Rows about the longest timeouts. */
export const longestRows = [...Object.values(timers).map(({ row }) => row), ...rowsOfRefusals(Object.values(tooLong))]

/**
 * Timeouts of 3600 and 3601 seconds. The maximum duration is not shown, and a timeout may not exceed it, so 3600 counts
 * only where a session may last as long; with a duration of 3601 the bound of the timeout is the only one that can bite.
 * In text and in video, where there is some: 3600 is taken in either, and one field is tried with 3601 in each.
 */
export async function sendLongest(c: Context<CreateRow>, key: KeyName): Promise<void> {
  const inText = await groundOf(c, key, textChat())
  const inVideo = countsOnVideo(c.profile) ? await groundOf(c, key, videoAvatar(c.profile)) : inText
  await sendRefusal(c, tooLong.disconnected, inVideo, key)
  await sendRefusal(c, tooLong.idle, inText, key)
}

async function groundOf(c: Context<CreateRow>, key: KeyName, base: JsonObject): Promise<Ground> {
  const durations: readonly number[] = [3601, 3600]
  let ground: Ground | undefined
  for (const seconds of durations) ground ??= await longestGround(c, key, { base, seconds })
  return ground ?? (await plainGround(c, key, base))
}

/** A session of this duration, or undefined where the service has none so long, or makes it shorter. */
async function longestGround(
  c: Context<CreateRow>,
  key: KeyName,
  { base, seconds }: { readonly base: JsonObject; readonly seconds: number },
): Promise<Ground | undefined> {
  const body = changed(base, { set: { '/max_duration_seconds': seconds } })
  const [both, alone] = [c.exchange(), c.exchange()]
  const rows = Object.values(timers).map(({ row }) => row)
  const full = changed(body, ...Object.values(timers))
  const expect = acceptance(rows, { onlyIf: [accepted(both)] })
  if (await isTaken(c, full, { exchange: both, key, expect })) return { body, control: accepted(both) }
  const session = await tryCreate(c, body, { exchange: alone, key })
  if (session === undefined) return undefined
  await c.close(session)
  if (!mayLast(session, seconds)) return undefined
  for (const timer of Object.values(timers)) {
    await isTaken(c, changed(body, timer), { key, expect: acceptance(timer.row, { onlyIf: [accepted(alone)] }) })
  }
  return { body, control: accepted(alone) }
}

/** Where no session lasts an hour, 3601 is above the maximum as well: refused for either reason. */
async function plainGround(c: Context, key: KeyName, body: JsonObject): Promise<Ground> {
  const exchange = c.exchange()
  await isTaken(c, body, { exchange, key })
  return { body, control: accepted(exchange) }
}
