import type { Exchange } from '#client/types'
import { world as minimal } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { poll } from '#scenario/author/poll'
import type { KeyName } from '#spec/profile'
import type { JsonObject } from '#trace/json'
import { ask, closeIt, keyed, sendCreate, worldOf } from '../send.ts'

/** A life so short that a session of which nobody knows does no harm, in seconds. */
const short_s = 20
/** A create takes no longer, in milliseconds. */
const moment_ms = 700
/** So long a session generates before it is closed. */
const running_ms = 1_000

/** A body, and the answer to it. */
export interface Made {
  readonly body: JsonObject
  readonly result: Exchange
}

/** A key that differs from another one in its last character, in its capitals, or in a blank. */
export function neighbourOf(key: string, count: number): string {
  const near = [`${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`, key.toUpperCase(), `${key} `]
  return near[(count - 1) % near.length] ?? key
}

/** Not even a key. Should its answer be lost, the session ends by itself; whoever refuses that is asked for no short one. */
export async function createWithoutKey(c: Context, key: KeyName): Promise<void> {
  const body = minimal({ max_session_duration_seconds: short_s })
  const made = await sendCreate(c, body, { key, recall: { ends_within_s: short_s } })
  await closeIt(c, made, key)
}

/** A create whose answer nobody waits for, and twice again: a retry may meet the create that is still running. */
export async function giveUp(c: Context, body: JsonObject, key: KeyName): Promise<Made> {
  await c.call('create-world-session', { key, body, retry: 'never', give_up: true })
  // What a service makes of it is made by then: a second session beside it could be found by nobody.
  await c.wait(moment_ms, 'backoff')
  const patience = { within_ms: 22_000, first: 700, longest: 8_000 }
  const result = await poll(
    c,
    () => sendCreate(c, body, { key }),
    ({ ok }) => ok,
    patience,
  )
  if (result.ok) await sendCreate(c, body, { key })
  return { body, result }
}

/** One that generates at once, for a moment, looked at before and after its close. Whether a model does that is not said. */
export async function run(c: Context, key: KeyName): Promise<void> {
  const body = keyed(c, minimal({ continuation: { start_mode: 'automatic' } }))
  const world = worldOf(await sendCreate(c, body, { key }), key)
  if (world === undefined) return
  await c.wait(running_ms, 'timer')
  await ask(c, 'get-world-session', world)
  await ask(c, 'close-world-session', world)
  await ask(c, 'get-world-session', world)
}
