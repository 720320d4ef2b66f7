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
/** Between two tries; the later ones only where somebody was there, who cuts connections or lets an edge say that it is away. */
const pauses_ms = [500, 1_000, 2_000, 4_000, 6_000]
const pausesOfSilence = 2
const leastForOthers_ms = 3_000

interface Manner {
  /** The address as the profile names it. */
  readonly base_url?: string
  /** Whether a service that restarts is waited for, beyond the deadline of one that does not answer. */
  readonly patient?: boolean
}

/**
 * Lists sessions with the primary key. Ends within nine seconds, whatever the target does; who is patient may take twice as long.
 *
 * @throws what the client throws when the run is interrupted
 */
export async function preflight(
  scope: Scope,
  deadline_ms: number = longest_ms,
  { base_url = '', patient = false }: Manner = {},
): Promise<Preflight> {
  const whole = performance.now() + deadline_ms
  const first = await askUntilAnswered(scope, deadline_ms, patient)
  // Whoever was waited for beyond that is asked no less.
  const deadline = patient ? Math.max(whole, performance.now() + leastForOthers_ms) : whole
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
async function askUntilAnswered(scope: Scope, deadline_ms: number, patient: boolean): Promise<Exchange> {
  const began = performance.now()
  let reply = await list(scope, deadline_ms)
  let restarts = false
  for (const [round, least] of pauses_ms.entries()) {
    restarts ||= patient && mayRestart(reply)
    if (!mayChange(reply) || (round >= pausesOfSilence && !restarts)) break
    const pause = Math.max(least, retryAfter(reply.headers, Date.now()) ?? 0)
    const left = began + (restarts ? 2 : 1) * deadline_ms - performance.now() - pause
    if (left < 500) break
    await scope.wait(pause, reply.status === 429 ? 'retry-after' : 'backoff')
    reply = await list(scope, Math.min(left, deadline_ms))
  }
  return reply
}

/** Connections that are cut, and pages that say so, are what a deployment looks like for some seconds; later nobody may listen. */
function mayRestart({ failure, status }: Exchange): boolean {
  return failure === 'reset' || status >= 500
}

function mayChange(reply: Exchange): boolean {
  if (reply.status === 0) return reply.failure !== 'tls' && reply.failure !== 'aborted'
  return !hasEnvelope(reply) && (reply.status === 429 || reply.status >= 500)
}

function list(scope: Scope, left_ms: number): Promise<Exchange> {
  return scope.rest('list-avatar-sessions', { retry: 'never', deadline_ms: Math.max(100, left_ms) })
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
