import { anew } from '#scenario/author/sessions/anew'
import { loadCodes } from '#spec/code-groups'
import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Call, Context } from '#scenario/author/context'
import { retryTransient } from '#scenario/author/retry-transient'
import { numbered } from '#scenario/author/numbered'
import { poll } from '#scenario/author/poll'
import type { RequirementId } from '#spec/register'
import { ending } from '#judge/sessions/session-end'
import { watchFactor } from '#judge/timing/timeouts'
import { at, type Json, type JsonObject, textAt } from '#trace/json'
import { isBehind, note } from './behind.ts'

/** A world session that this run made. */
export interface World {
  readonly id: string
  readonly key: KeyName
  /** The create that made it. */
  readonly exchange: number
  readonly data: JsonObject
}

/** Sends a create, and again under the same number while the answer says nothing about the body. */
export function sendCreate<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  call: Call<Row> = {},
): Promise<Exchange> {
  const sending = numbered(c, call)
  return retryTransient(c, () => c.call('create-world-session', { ...sending, body }), { scarce: loadCodes })
}

/** Sends a create with an idempotency key of its own, until its session has not failed: a create may return one that has (3.2). */
export function sendKeyed<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  call: Call<Row> = {},
): Promise<Exchange> {
  const sending = numbered(c, call)
  return anew(
    () => sendCreate(c, keyed(c, body), sending),
    ({ data }) => at(data, '/status') === 'failed',
  )
}

/** The body with an idempotency key of its own. */
export function keyed(context: Context, body: JsonObject): JsonObject {
  return { ...body, idempotency_key: context.id('world') }
}

/** @returns undefined where the create was refused or names no session */
export function worldOf(answer: Exchange, key: KeyName = 'primary'): World | undefined {
  const id = answer.ok ? textAt(answer.data, '/session_id') : undefined
  return id === undefined ? undefined : { id, key, exchange: answer.exchange, data: answer.data as JsonObject }
}

/** Makes a session that the scenario cannot do without. A body with a key is sent once; one without gets a key. @throws Blocked */
export async function makeWorld<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  call: Call<Row> & { readonly key?: KeyName } = {},
): Promise<World> {
  const send = body['idempotency_key'] === undefined ? sendKeyed : sendCreate
  const answer = await send(c, body, call)
  const world = worldOf(answer, call.key)
  if (world !== undefined) return world
  const { code } = answer
  if (code === undefined) return c.block('network', 'create got no answer of the service')
  if (loadCodes.includes(code)) return c.block('quota', `create was refused with ${code}`)
  return c.block('prerequisite', `no world session was created (code ${code})`)
}

/** A call about one session. A Get that shows less than was shown before is taken once more when reads have caught up. */
export async function ask<Row extends RequirementId>(
  c: Context<Row>,
  operation: 'get-world-session' | 'create-client-secret' | 'close-world-session',
  { id, key }: Pick<World, 'id' | 'key'>,
  call: Call<Row> = {},
): Promise<Exchange> {
  const body = operation === 'get-world-session' ? {} : { body: {} }
  const params = { session_id: id }
  const answer = await c.call(operation, { key, ...body, ...call, params })
  if (operation === 'get-world-session' && isBehind(c, id, answer)) {
    await c.wait(c.timeouts.lag_ms, 'lag')
    const { expect: _, exchange: __, ...again } = call
    return c.call(operation, { key, ...again, params })
  }
  if (operation !== 'create-client-secret') note(c, id, answer)
  return answer
}

/** A call about an open session: where it is refused, a look tells whether the session has ended by itself meanwhile (3.2). */
export async function askOpen<Row extends RequirementId>(
  c: Context<Row>,
  operation: 'create-client-secret' | 'close-world-session',
  world: Pick<World, 'id' | 'key'>,
  call: Call<Row> = {},
): Promise<Exchange> {
  const answer = await ask(c, operation, world, call)
  if (answer.code === undefined || answer.code === 0) return answer
  const { ok, data } = await ask(c, 'get-world-session', world)
  if (!ok || !isOpen(data)) return answer
  // The look may come from a copy that is behind.
  await c.wait(c.timeouts.lag_ms, 'lag')
  await ask(c, 'get-world-session', world)
  return answer
}

const isOpen = (data: Json | undefined): boolean => !ending.includes(textAt(data, '/status') ?? '')

/** A session that left `provisioning`, or did not in time. */
export interface Settled {
  /** The exchange that showed its status last. */
  readonly exchange: number
  readonly status: unknown
  readonly data: JsonObject
}

/**
 * Waits for the session to leave `provisioning` (3.2).
 *
 * @param factor how many times as long as the profile says
 */
export async function settled(c: Context, world: World, factor = 1): Promise<Settled> {
  const first = at(world.data, '/status')
  if (first !== 'provisioning') return { exchange: world.exchange, status: first, data: world.data }
  const { exchange, data, ok } = await poll(
    c,
    () => ask(c, 'get-world-session', world),
    (shown) => shown.ok && at(shown.data, '/status') !== 'provisioning',
    { within_ms: factor * c.timeouts.provisioning_ms, first: 300, longest: 5_000 },
  )
  return { exchange, status: at(data, '/status'), data: ok ? (data as JsonObject) : world.data }
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

/** Looks until Get shows the session closed, or finds it no more. */
export function untilClosed(c: Context, world: World): Promise<Exchange> {
  const isOver = ({ code, data }: Exchange): boolean =>
    code === 20005 || ['closed', 'failed'].includes(textAt(data, '/status') ?? '')
  // What has not come by its deadline may come late: once more as long.
  const patience = { within_ms: watchFactor * c.timeouts.closed_ms, first: 200, longest: 4_000 }
  return poll(c, () => ask(c, 'get-world-session', world), isOver, patience)
}
