import type { KeyName } from '#spec/profile'
import type { AnyContext as Context } from '#scenario/author/context'
import { accepted } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from '../bodies.ts'
import { changed } from '../change.ts'
import { disconnectedOutOfRange, idleOutOfRange } from './limit-refusals.ts'
import { type Ground, sendRefusal } from './refusal.ts'
import { tryCreate } from './send.ts'

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

/**
 * Timeouts of 3600 and 3601 seconds. The maximum duration is not shown, and a timeout may not exceed it, so 3600 counts
 * only where a session may last as long; with a duration of 3601 the bound of the timeout is the only one that can bite.
 */
export async function sendLongest(context: Context, key: KeyName): Promise<void> {
  const durations: readonly number[] = [3601, 3600]
  let ground: Ground | undefined
  for (const seconds of durations) ground ??= await longestGround(context, key, seconds)
  const { body, twin } = ground ?? (await plainGround(context, key))
  const disconnected = disconnectedOutOfRange(3601, 'limits.disconnected-timeout.3601-rejected')
  await sendRefusal(context, disconnected, { body, twin }, key)
  await sendRefusal(context, idleOutOfRange(3601, 'limits.interaction-idle-timeout.3601-rejected'), { body, twin }, key)
}

/** A session of this duration, or undefined where the service has none so long. */
async function longestGround(context: Context, key: KeyName, seconds: number): Promise<Ground | undefined> {
  const body = changed(textChat(), { set: { '/max_duration_seconds': seconds } })
  const [both, alone] = [context.exchange(), context.exchange()]
  for (const { row } of Object.values(timers)) {
    context.claim(row, accepted(both), { given: [accepted(both)], given_code: 'model_choice' })
  }
  const full = changed(body, ...Object.values(timers))
  if (await taken(context, full, both, key)) return { body, twin: accepted(both) }
  if (!(await taken(context, body, alone, key))) return undefined
  for (const timer of Object.values(timers)) {
    const exchange = context.exchange()
    context.claim(timer.row, accepted(exchange), { given: [accepted(alone)], given_code: 'model_choice' })
    await taken(context, changed(body, timer), exchange, key)
  }
  return { body, twin: accepted(alone) }
}

/** Where no session lasts an hour, 3601 is above the maximum as well: refused for either reason. */
async function plainGround(context: Context, key: KeyName): Promise<Ground> {
  const exchange = context.exchange()
  const body = textChat()
  await taken(context, body, exchange, key)
  return { body, twin: accepted(exchange) }
}

async function taken(context: Context, body: JsonObject, exchange: number, key: KeyName): Promise<boolean> {
  const session = await tryCreate(context, body, { exchange, key })
  if (session !== undefined) await context.close(session)
  return session !== undefined
}
