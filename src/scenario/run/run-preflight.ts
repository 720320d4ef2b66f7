import type { ScopedClient } from '#client/client'
import { retryAfter } from '#client/http/retry-after'
import type { Exchange, RestCall } from '#client/types'
import { isKeyCode } from '#spec/code-groups'
import type { OperationId } from '#spec/tables'
import { isObject } from '#trace/json'

type Scope = Pick<ScopedClient, 'rest' | 'wait'>

/** Whether there is anybody to judge. */
export type Preflight =
  | { readonly kind: 'ok' }
  /** No reply at all, only replies that bear no envelope, the key opens nothing, or the address is one `/v1` too long. */
  | { readonly kind: 'unreachable' | 'no-envelope' | 'key-refused' | 'beside'; readonly reason: string }

/** Asked when List Sessions gave no envelope, or refused the key: one wrong operation is no reason to judge nothing. */
const others: readonly (readonly [OperationId, RestCall])[] = [
  ['get-avatar-session', { params: { session_id: 'greenroom-preflight' } }],
  ['list-characters', {}],
  ['list-voices', {}],
]

const besides =
  'List Sessions is refused below base_url, which ends with /v1: every path of the interface begins with /v1, so leave it out of base_url'

const longest_ms = 9_000
const tries = 3

/**
 * Lists sessions with the primary key. Ends within nine seconds, whatever the target does.
 *
 * @param base_url where it is asked, as the profile names it
 * @throws what the client throws when the run is interrupted
 */
export async function preflight(scope: Scope, deadline_ms: number = longest_ms, base_url = ''): Promise<Preflight> {
  const deadline = performance.now() + deadline_ms
  const first = await askUntilAnswered(scope, deadline)
  if (first.status === 0) return { kind: 'unreachable', reason: `no reply (${first.failure ?? 'no answer'})` }
  if (isFine(first) && (codeOf(first) === 0 || !/\/v1\/*$/.test(base_url))) return { kind: 'ok' }
  if (isFine(first)) return { kind: 'beside', reason: besides }
  const replies = [first]
  for (const [operation, call] of others) {
    const reply = await once(scope, operation, call, deadline)
    if (reply === undefined) break
    if (isFine(reply)) return { kind: 'ok' }
    replies.push(reply)
  }
  const refused = replies.find(hasEnvelope)
  if (refused !== undefined)
    return { kind: 'key-refused', reason: `the primary key is refused with ${codeOf(refused)}` }
  return { kind: 'no-envelope', reason: `no reply bears an envelope (HTTP ${first.status} to List Sessions)` }
}

/** Tries again where the network or a proxy may be to blame. */
async function askUntilAnswered(scope: Scope, deadline: number): Promise<Exchange> {
  let reply = await list(scope, deadline)
  for (let round = 1; round < tries && mayChange(reply); round += 1) {
    const pause = Math.max(500 * round, retryAfter(reply.headers, Date.now()) ?? 0)
    if (performance.now() + pause > deadline - 500) return reply
    await scope.wait(pause, reply.status === 429 ? 'retry-after' : 'backoff')
    reply = await list(scope, deadline)
  }
  return reply
}

function mayChange(reply: Exchange): boolean {
  if (reply.status === 0) return reply.failure !== 'tls' && reply.failure !== 'aborted'
  return !hasEnvelope(reply) && (reply.status === 429 || reply.status >= 500)
}

function list(scope: Scope, deadline: number): Promise<Exchange> {
  return scope.rest('list-avatar-sessions', {
    retry: 'never',
    deadline_ms: Math.max(100, deadline - performance.now()),
  })
}

async function once(
  scope: Scope,
  operation: OperationId,
  call: RestCall,
  deadline: number,
): Promise<Exchange | undefined> {
  const left = deadline - performance.now()
  return left < 100 ? undefined : scope.rest(operation, { ...call, retry: 'never', deadline_ms: left })
}

/** Anything with a `code` is somebody to judge, also where the envelope has other faults. */
function isFine(reply: Exchange): boolean {
  return hasEnvelope(reply) && !isKeyCode(codeOf(reply))
}

function hasEnvelope({ body }: Exchange): boolean {
  return Number.isInteger(codeIn(body))
}

function codeOf({ body }: Exchange): number {
  return codeIn(body)
}

/** A number, or digits in a string. */
function codeIn(body: Exchange['body']): number {
  const code = isObject(body) && Object.hasOwn(body, 'code') ? body['code'] : undefined
  if (typeof code === 'string' && /^-?\d+$/.test(code)) return Number(code)
  return typeof code === 'number' ? code : Number.NaN
}
