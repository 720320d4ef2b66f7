import type { KeyName } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { acceptance, rowsOfRefusals } from '#scenario/author/expectation'
import { accepted } from '#trace/conditions'
import { textChat } from '#scenario/author/bodies'
import { changed } from '../change.ts'
import { disconnectedOutOfRange, idleOutOfRange } from './limit-refusals.ts'
import { type Ground, sendRefusal } from './refusal.ts'
import type { CreateRow } from './rows.ts'
import { isTaken } from './send.ts'

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

const tooLong = [
  disconnectedOutOfRange(3601, 'limits.disconnected-timeout.3601-rejected'),
  idleOutOfRange(3601, 'limits.interaction-idle-timeout.3601-rejected'),
]

/** Rows about the longest timeouts. */
export const longestRows = [...Object.values(timers).map(({ row }) => row), ...rowsOfRefusals(tooLong)]

/**
 * Timeouts of 3600 and 3601 seconds. The maximum duration is not shown, and a timeout may not exceed it, so 3600 counts
 * only where a session may last as long; with a duration of 3601 the bound of the timeout is the only one that can bite.
 */
export async function sendLongest(c: Context<CreateRow>, key: KeyName): Promise<void> {
  const durations: readonly number[] = [3601, 3600]
  let ground: Ground | undefined
  for (const seconds of durations) ground ??= await longestGround(c, key, seconds)
  const chosen = ground ?? (await plainGround(c, key))
  for (const refusal of tooLong) await sendRefusal(c, refusal, chosen, key)
}

/** A session of this duration, or undefined where the service has none so long. */
async function longestGround(c: Context<CreateRow>, key: KeyName, seconds: number): Promise<Ground | undefined> {
  const body = changed(textChat(), { set: { '/max_duration_seconds': seconds } })
  const [both, alone] = [c.exchange(), c.exchange()]
  const rows = Object.values(timers).map(({ row }) => row)
  const full = changed(body, ...Object.values(timers))
  const expect = acceptance(rows, { onlyIf: [accepted(both)] })
  if (await isTaken(c, full, { exchange: both, key, expect })) return { body, control: accepted(both) }
  if (!(await isTaken(c, body, { exchange: alone, key }))) return undefined
  for (const timer of Object.values(timers)) {
    await isTaken(c, changed(body, timer), { key, expect: acceptance(timer.row, { onlyIf: [accepted(alone)] }) })
  }
  return { body, control: accepted(alone) }
}

/** Where no session lasts an hour, 3601 is above the maximum as well: refused for either reason. */
async function plainGround(c: Context, key: KeyName): Promise<Ground> {
  const exchange = c.exchange()
  await isTaken(c, textChat(), { exchange, key })
  return { body: textChat(), control: accepted(exchange) }
}
