import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { Blocked } from '#scenario/author/blocked'
import { capacityCode } from '#scenario/runner/quota'
import { sessionOf } from '#scenario/runner/context-create'
import type { Call, Context, OpenSession } from '#scenario/author/context'
import { isFull, retryTransient } from '#scenario/author/retry-transient'
import { at, type JsonObject } from '#trace/json'

export interface Sending<Row extends RequirementId = never> extends Pick<Call<Row>, 'exchange' | 'expect'> {
  readonly key: KeyName
  /** Closes a session that stays open meanwhile where the workspace allows two. */
  readonly release?: Release | undefined
  /** Sends the body exactly as it is. */
  readonly unmarked?: true
}

/** Closes a session once, however often it is called. */
export type Release = () => Promise<void>

export function releaseOf(context: Context, session: OpenSession): Release {
  let closing: Promise<unknown> | undefined
  return async () => {
    closing ??= context.close(session)
    await closing
  }
}

/**
 * Creates a session, or finds that the target refuses it.
 *
 * @returns undefined for a refusal
 * @throws Blocked for whatever else stands in the way
 */
export async function tryCreate<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  { release, ...sending }: Sending<Row>,
): Promise<OpenSession | undefined> {
  const { key } = sending
  const exchange = sending.expect === undefined ? sending.exchange : c.expect(sending.expect, sending.exchange)
  const unmarked = sending.unmarked === undefined ? {} : { unmarked: sending.unmarked }
  const call = { key, exchange: exchange ?? c.exchange(), ...unmarked }
  // A body that has a key stays as it is: who repeats it sends the same to the letter.
  const keyed = body['idempotency_key'] === undefined ? { ...body, idempotency_key: c.id('create') } : body
  const answer = await retryTransient(c, () => c.attempt(keyed, call), { scarce: [capacityCode] })
  try {
    if (!isFull(answer)) return sessionOf(answer, key)
    await release?.()
    return await c.create(keyed, { exchange: call.exchange, key })
  } catch (error) {
    if (error instanceof Blocked && error.code === 'prerequisite') return undefined
    throw error
  }
}

/**
 * The same create once more, by the key of the first. Where it brings another session, Get tells whether the first one is
 * open: a service may have ended it by itself (3.1), and its key be free again.
 */
export async function repeatCreate(c: Context, body: JsonObject, { id, key }: OpenSession): Promise<void> {
  const again = await c.attempt(body, { key, retry: 'never' })
  const other = again.ok ? at(again.data, '/session_id') : id
  if (other !== id) await c.call('get-avatar-session', { key, params: { session_id: id } })
}

/** The same of a session that is closed at once. @returns whether it was accepted */
export async function isTaken<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  sending: Sending<Row>,
): Promise<boolean> {
  const session = await tryCreate(c, body, sending)
  if (session !== undefined) await c.close(session)
  return session !== undefined
}

/** Sends a create that is to be refused, waits where the workspace is full, and closes what comes of it by mistake. */
export async function expectRefusal(context: Context, send: () => Promise<Exchange>, key: KeyName): Promise<Exchange> {
  const answer = await retryTransient(context, send)
  const stray = answer.ok ? strayOf(answer, key) : undefined
  if (stray !== undefined) await context.close(stray)
  return answer
}

function strayOf(answer: Exchange, key: KeyName): OpenSession | undefined {
  try {
    return sessionOf(answer, key)
  } catch {
    return undefined
  }
}
