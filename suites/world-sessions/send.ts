import type { Exchange, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { AnyContext as Context } from '#scenario/author/context'
import { isFault } from '#scenario/author/insist'
import { at, type JsonObject } from '#trace/json'
import { isBehind, note } from './behind.ts'

/** A world session that this run made. */
export interface World {
  readonly id: string
  readonly key: KeyName
  /** The create that made it. */
  readonly exchange: number
  readonly data: JsonObject
}

/** Codes of load and quota (section 7): they say nothing about the body. */
const scarce = new Set([10008, 30006, 30008])

/** Longest pauses while the workspace is full, or while the service fails. */
const longest_ms = { scarce: 8_000, fault: 1_000 }

/** Sends a create, and again under the same number while the answer says nothing about the body. */
export async function sendCreate(context: Context, body: JsonObject, call: RestCall = {}): Promise<Exchange> {
  const send = () => context.call('create-world-session', { ...call, body })
  let answer = await send()
  for (let pause = 500; isVain(answer); pause *= 1.6) {
    const full = scarce.has(answer.code ?? 0)
    if (pause > (full ? longest_ms.scarce : longest_ms.fault)) return answer
    await context.wait(Math.round(pause), full ? 'quota' : 'backoff')
    answer = await send()
  }
  return answer
}

/** A create may return a session that failed (3.2): so many others are made in its place. */
const others = 2

/** Sends a create with an idempotency key of its own, until its session has not failed. */
export async function sendKeyed(context: Context, body: JsonObject, call: RestCall = {}): Promise<Exchange> {
  const send = () => sendCreate(context, keyed(context, body), call)
  return anew(send, ({ data }) => at(data, '/status') === 'failed')
}

/** Makes a session, and others in its place while they failed. */
export async function anew<Made>(make: () => Promise<Made>, failed: (made: Made) => boolean): Promise<Made> {
  let made = await make()
  for (let count = 0; count < others && failed(made); count += 1) made = await make()
  return made
}

/** Scarcity, or a mishap that the service itself tells of. */
function isVain(answer: Exchange): boolean {
  return isFault(answer) || (answer.code !== undefined && scarce.has(answer.code))
}

/** The body with an idempotency key of its own. */
export function keyed(context: Context, body: JsonObject): JsonObject {
  return { ...body, idempotency_key: context.id('world') }
}

/** @returns undefined where the create was refused or names no session */
export function worldOf(answer: Exchange, key: KeyName = 'primary'): World | undefined {
  const id = answer.ok ? at(answer.data, '/session_id') : undefined
  if (typeof id !== 'string' || id === '') return undefined
  return { id, key, exchange: answer.exchange, data: answer.data as JsonObject }
}

/** Makes a session that the scenario cannot do without. A body with a key is sent once; one without gets a key. @throws Blocked */
export async function makeWorld(context: Context, body: JsonObject, call: RestCall = {}): Promise<World> {
  const key = (call.key ?? 'primary') as KeyName
  const named = body['idempotency_key'] !== undefined
  const answer = named ? await sendCreate(context, body, call) : await sendKeyed(context, body, call)
  const world = worldOf(answer, key)
  if (world !== undefined) return world
  if (answer.code !== undefined && scarce.has(answer.code)) {
    context.block('quota', `create was refused with ${answer.code}`)
  }
  if (answer.code === undefined) context.block('network', 'create got no answer of the service')
  return context.block('prerequisite', `no world session was created (code ${answer.code})`)
}

/** A call about one session. A Get that shows less than was shown before is taken once more when reads have caught up. */
export async function ask(
  context: Context,
  operation: 'get-world-session' | 'create-client-secret' | 'close-world-session',
  world: Pick<World, 'id' | 'key'>,
  call: RestCall = {},
): Promise<Exchange> {
  const send = async (more: RestCall): Promise<Exchange> => {
    const body = operation === 'get-world-session' ? {} : { body: {} }
    return context.call(operation, { key: world.key, ...body, ...more, params: { session_id: world.id } })
  }
  const answer = await send(call)
  if (operation === 'get-world-session' && isBehind(context, world.id, answer)) {
    await context.wait(context.timeouts.lag_ms, 'lag')
    return send({ ...call, exchange: context.exchange() })
  }
  if (operation !== 'create-client-secret') note(context, world.id, answer)
  return answer
}

/** A session that left `provisioning`, or did not in time. */
export interface Settled {
  /** The exchange that showed its status last. */
  readonly exchange: number
  readonly status: unknown
  readonly data: JsonObject
}

/** Waits for the session to leave `provisioning` (3.2). */
export async function settled(context: Context, world: World): Promise<Settled> {
  const first = at(world.data, '/status')
  if (first !== 'provisioning') return { exchange: world.exchange, status: first, data: world.data }
  const deadline = performance.now() + context.timeouts.provisioning_ms
  for (let pause = 300; ; pause = Math.min(2 * pause, 5_000)) {
    const late = performance.now() >= deadline
    const { exchange, data, ok } = await ask(context, 'get-world-session', world)
    const status = at(data, '/status')
    if ((ok && status !== 'provisioning') || late) {
      return { exchange, status, data: ok ? (data as JsonObject) : world.data }
    }
    await context.wait(Math.max(1, Math.min(pause, deadline + 100 - performance.now())), 'backoff')
  }
}

/**
 * Closes a session with a key with which others of this run are closed: whether a key may serve several is not said, but
 * a close that is answered with success is a close.
 */
export async function closeShared(context: Context, world: World): Promise<void> {
  const idempotency_key = context.id('shared').replace(/-\d+$/, '')
  const { ok } = await ask(context, 'close-world-session', world, { body: { idempotency_key } })
  if (!ok) await ask(context, 'close-world-session', world)
}

/** Closes what came of a create, so that it takes no place any longer. */
export async function closeIt(context: Context, answer: Exchange, key: KeyName): Promise<void> {
  const world = worldOf(answer, key)
  if (world !== undefined) await ask(context, 'close-world-session', world)
}
