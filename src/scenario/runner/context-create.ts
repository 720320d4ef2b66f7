import type { Exchange, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import { loadCodes } from '#spec/code-groups'
import { isMishap } from '#spec/tables'
import { isObject } from '#trace/json'
import type { JsonObject } from '#trace/json'
import { Blocked } from '../author/blocked.ts'
import type { Breaker } from './breaker.ts'
import type { Context, CreateOptions, OpenSession } from '../author/context.ts'
import { creationOf, idOf } from '../journal/creations.ts'
import type { Obstacle } from './outcome.ts'
import type { Pool } from './pool.ts'
import type { Holders } from './holders.ts'
import { capacityCode, quotaCode, type QuotaWait, waitOut } from './quota.ts'

export interface CreateTools {
  readonly id: (word: string) => string
  readonly send: (operation: NonNullable<CreateOptions['operation']>, call: RestCall) => Promise<Exchange>
  readonly wait: Context['wait']
  readonly own: (key: KeyName) => number
  readonly pool: (key: KeyName) => Pool
  readonly breaker: Breaker
  readonly holders: (key: KeyName) => Promise<Holders>
  readonly timing: () => Pick<QuotaWait, 'patience_ms' | 'closed_ms' | 'lag_ms'>
}

/**
 * Creates an avatar session, waiting out a full workspace with the same idempotency key.
 *
 * @throws Blocked when no session came of it.
 */
export async function createSession(
  tools: CreateTools,
  body: JsonObject,
  options: CreateOptions,
): Promise<OpenSession> {
  const key = options.key ?? 'primary'
  const call: RestCall = { body: keyed(body, tools), key, ...numbered(options) }
  const done = tools.breaker.asking(key)
  try {
    const answer = await ask(tools, call, options)
    if (answer.code === quotaCode && tools.own(key) > 0) throw noRoom(tools.own(key))
    return sessionOf(answer, key)
  } catch (error) {
    if (error instanceof Blocked) tools.breaker.refused(key, { code: error.code, reason: error.message })
    throw error
  } finally {
    done()
  }
}

/** The session that an accepted create made; throws Blocked when there is none. */
export function sessionOf(answer: Exchange, key: KeyName): OpenSession {
  const creation = creationOf('create-avatar-session')
  const id = answer.ok && creation !== undefined ? idOf(creation, answer) : undefined
  if (id === undefined || !isObject(answer.data)) throw blockedBy(obstacleOf(answer))
  return { id, exchange: answer.exchange, key, data: answer.data }
}

async function ask(tools: CreateTools, call: RestCall, options: CreateOptions): Promise<Exchange> {
  const { operation = 'create-avatar-session', key = 'primary' } = options
  const send = () => tools.send(operation, call)
  const answer = await createPatiently(send, tools)
  if (answer.code !== quotaCode) return answer
  const wait = (ms: number) => tools.wait(ms, 'quota')
  const own = () => tools.own(key)
  const holders = () => tools.holders(key)
  return (await waitOut(tools.pool(key), { own, wait, again: send, holders, ...tools.timing() })) ?? answer
}

/** The client has tried three times already; under load of our own, that may not have been enough. */
async function createPatiently(
  send: () => Promise<Exchange>,
  { wait, timing, breaker }: CreateTools,
): Promise<Exchange> {
  let answer = await send()
  for (let round = 1; round <= 2 && isPassing(answer) && !breaker.crowded(); round += 1) {
    await wait((round * timing().patience_ms) / 40, 'backoff')
    answer = await send()
  }
  return answer
}

/** A failure inside the service, or no capacity for now (30008). */
function isPassing(answer: Exchange): boolean {
  return answer.code === capacityCode || isMishap(answer)
}

function keyed(body: JsonObject, { id }: CreateTools): JsonObject {
  return body['idempotency_key'] === undefined ? { ...body, idempotency_key: id('create') } : body
}

function numbered({ exchange }: CreateOptions): Pick<RestCall, 'exchange'> {
  return exchange === undefined ? {} : { exchange }
}

/** The cap is not shown (section 8): that it leaves room for some and not for more is the target's choice. */
function noRoom(own: number): Blocked {
  return new Blocked(
    'model_choice',
    `the workspace has no room for another session beside ${own} of the scenario's own`,
  )
}

function obstacleOf(answer: Exchange): Obstacle {
  const { code, message, status, failure } = answer
  if (code !== undefined && loadCodes.includes(code))
    return { code: 'quota', reason: `create was refused with ${code}` }
  if (answer.ok) return { code: 'prerequisite', reason: 'create was accepted without a session_id' }
  if (code !== undefined) return { code: 'prerequisite', reason: `create was refused with ${code}: ${short(message)}` }
  if (failure !== undefined) return { code: 'network', reason: `create got no reply (${failure})` }
  return {
    code: status >= 500 ? 'network' : 'prerequisite',
    reason: `create was answered ${status} without an envelope`,
  }
}

function blockedBy({ code, reason }: Obstacle): Blocked {
  return new Blocked(code, reason)
}

/** The target's words, bounded and on one line. */
function short(message: string | undefined): string {
  const line = (message ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
