import type { KeyName } from '#spec/profile'
import { type OperationId, operations } from '#spec/tables'
import { isLikelyTargets } from '#trace/edge'
import type { FailureReason, WaitEntry } from '#trace/entry'
import { spoiltLabel, spoiltWays, type SpoiltWay } from '#trace/stand-ins'
import { type ReadReply, failed, readReply } from './answer.ts'
import { type Asker, assertGoing, type Core, record, signalFor, spenderOf } from '../core.ts'
import { BudgetSpent, RunAborted } from '../errors.ts'
import type { Failure } from '../failure.ts'
import { send } from './http.ts'
import { keepUploads, mannerOf } from './manner.ts'
import { createRepetition, isPaced, kindOf } from './repetition.ts'
import { operationPath, type PreparedRequest, prepareRequest, queryOf } from './request.ts'
import { isFailure, troubleOf } from './retry.ts'
import { hurries, placeOf, rounded, takeTurn, waitSignalFor } from './turns.ts'
import type { Place } from '../pace/crowd.ts'
import { spoil } from './spoilt-key.ts'
import type { Exchange, RestCall } from '../types.ts'

/** An answer to another request says most while this one is still to fail again. */
const failuresBeforeLook = 2
/** What an edge may have answered is tried more often. */
const troublesBeforeLook = 3

function triesBeforeLook(result: Exchange): number | undefined {
  if (isFailure(result) || (result.code === undefined && isLikelyTargets(result))) return failuresBeforeLook
  return troubleOf(result) === undefined ? undefined : troublesBeforeLook
}

/** Failures before anything was written to a socket. */
const unsent = new Set<FailureReason>(['refused', 'dns', 'tls'])

/** Bytes of an answer that cleanup takes, however much came before. */
const shortAnswer = 64 * 2 ** 10

/** Sends REST calls of one client. */
export interface Rest {
  /** @throws BudgetSpent, RunAborted, TraceWriteError; never for what the target answers */
  call(asker: Asker, operation: OperationId, call: RestCall): Promise<Exchange>
  /** The same outside the interface. `path` begins with a slash and follows the base address. */
  raw(asker: Asker, method: string, path: string, call: RestCall): Promise<Exchange>
}

type Target = Pick<PreparedRequest, 'operation' | 'method' | 'path'>

function prepare(core: Core, target: Target, call: RestCall, exchange: number): PreparedRequest {
  const common = { ...core.headers, ...withKeys(core, call.headers ?? {}) }
  return prepareRequest(target, call, common, authorizationOf(core, call), String(exchange))
}

export function createRest(core: Core): Rest {
  const repetition = createRepetition(core)

  async function run(asker: Asker, request: PreparedRequest, call: RestCall, exchange: number): Promise<Exchange> {
    const met = new Set<string>()
    const began = core.clock.now()
    let again = began
    let last: Exchange | undefined
    for (let attempt = 1; ; attempt += 1) {
      // What is answered from the second attempt on was asked for after the first had failed.
      if (attempt === 2) again = core.clock.now()
      const result = await attemptIfPaid(core, asker, request, { exchange, attempt, call, last })
      if (result === last) return withTrouble(request, counted(result, attempt - 1), met)
      last = result
      repetition.believe(request.key, result, attempt)
      const { cleanup } = asker
      const one = { attempt, call, hurried: hurries(core, asker), cleanup, waited: core.clock.now() - began }
      const pause = call.retry === 'never' ? undefined : repetition.pauseBefore(result, request, one)
      const over = pause === undefined || signalFor(core, asker)?.aborted === true
      repetition.learn(request, result, { met, over, waited: one.waited })
      if (over) return withTrouble(request, counted(result, attempt), met)
      const mayWonder = attempt === triesBeforeLook(result) && isPaced(request.key) && !cleanup
      if (mayWonder && repetition.wondersSince(isFailure(result) ? began : again))
        await lookWhetherUp(rest, asker, request)
      await pauseBetween(core, asker, pause)
    }
  }

  const rest: Rest = {
    call: async (asker, operation, call) => {
      const exchange = call.exchange ?? core.numbers.next('exchange')
      const target = { operation, method: operations[operation].method, path: operationPath(operation, call) }
      return run(asker, prepare(core, target, call, exchange), call, exchange)
    },
    raw: async (asker, method, path, call) => {
      const exchange = call.exchange ?? core.numbers.next('exchange')
      const target = { operation: null, method, path: path + queryOf(call) }
      return run(asker, prepare(core, target, call, exchange), call, exchange)
    },
  }
  return rest
}

/** @returns `last`, the answer so far, where the budget allows no other attempt. */
async function attemptIfPaid(core: Core, asker: Asker, request: PreparedRequest, { last, ...one }: Further) {
  const { replies } = core
  let place: Place | undefined
  let served = false
  try {
    await takeTurn(core, asker, request.key, one.call)
    place = await placeOf(core, asker, request, one.call)
    const deadline_ms = replies.ms(one.call.deadline_ms)
    const heard = replies.asked()
    const result = await attemptOnce(core, asker, request, { ...one, deadline_ms })
    // What is sent again may only be told what became of it before.
    served = result.ok && one.attempt === 1
    if (one.call.deadline_ms === undefined) heard(result.failure !== 'timeout')
    return result
  } catch (error) {
    if (last !== undefined && error instanceof BudgetSpent) return last
    throw error
  } finally {
    place?.leave(served)
  }
}

/**
 * Who fails over one request each time, or whose edge answers for it, is told from a service that is down by what it answers to
 * another one meanwhile: where nothing else is asked just now, its sessions are listed.
 */
async function lookWhetherUp(rest: Rest, asker: Asker, { operation, key }: PreparedRequest): Promise<void> {
  const other = operation === 'list-avatar-sessions' ? 'list-characters' : 'list-avatar-sessions'
  try {
    await rest.call(asker, other, { key: key as KeyName, retry: 'never' })
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
  }
}

function counted(result: Exchange, attempts: number): Exchange {
  return attempts === 1 ? result : { ...result, attempts }
}

/** Tells a scenario what it can't see in the last answer. */
function withTrouble(request: PreparedRequest, result: Exchange, met: ReadonlySet<string>): Exchange {
  const trouble = result.code === undefined ? troubleOf(result) : undefined
  if (trouble === undefined) return met.size === 0 ? result : { ...result, repeated: true }
  return { ...result, trouble: kindOf(request, trouble) }
}

/** Lets time pass and records how much; also when the run is aborted meanwhile. */
export async function waitRecorded(
  core: Core,
  asker: Asker,
  ms: number,
  why: WaitEntry['why'],
  signal = signalFor(core, asker),
): Promise<void> {
  const began = core.clock.now()
  try {
    await core.clock.sleep(ms, signal, why)
  } finally {
    record(core, asker, { kind: 'wait', why, ms: rounded(core.clock.now() - began) })
  }
}

/** The pause before a request is tried again; what is not sent again is told by the budget. */
async function pauseBetween(core: Core, asker: Asker, { ms, why }: Pick<WaitEntry, 'ms' | 'why'>): Promise<void> {
  try {
    await waitRecorded(core, asker, ms, why, waitSignalFor(core, asker))
  } catch (error) {
    if (!(error instanceof RunAborted)) throw error
    assertGoing(core, asker)
  }
}

interface Send {
  readonly exchange: number
  readonly attempt: number
  readonly call: RestCall
}

interface Further extends Send {
  /** The answer so far. */
  readonly last: Exchange | undefined
}

interface Timed extends Send {
  readonly deadline_ms: number
}

async function attemptOnce(core: Core, asker: Asker, request: PreparedRequest, one: Timed): Promise<Exchange> {
  const { exchange, attempt } = one
  const { operation, method, path, key, headers } = request
  keepUploads(core.options.uploads, one.call)
  assertGoing(core, asker)
  core.budget.spend(spenderOf(asker))
  const shown = { ...request.shown, ...mannerOf(one.call) }
  record(core, asker, { kind: 'request', exchange, attempt, operation, method, path, key, headers, ...shown })
  const answer = await sendOnce(core, asker, request, one)
  if ('reason' in answer) {
    if (!unsent.has(answer.reason)) core.traffic.request(key)
    record(core, asker, { kind: 'failure', exchange, attempt, reason: answer.reason, message: answer.message })
    return failed(exchange, answer)
  }
  core.traffic.request(key)
  core.intake.add(answer.weight)
  record(core, asker, { kind: 'response', exchange, attempt, ...answer.note })
  if (answer.result.code === 10008 && isPaced(key)) core.pace.limited(key)
  return answer.result
}

async function sendOnce(core: Core, asker: Asker, request: PreparedRequest, one: Timed): Promise<ReadReply | Failure> {
  const { method, path, headers, payload } = request
  const { body_bytes, body_weight } = core.bounds
  // What a run made is ended also after a flood: the answers to that are short.
  const left = Math.max(core.intake.left, asker.cleanup ? shortAnswer : 0)
  const answer = await send(
    core.sockets.agent,
    { origin: core.base.origin, path: core.base.prefix + path, method, headers, payload },
    {
      deadline_ms: one.deadline_ms,
      signal: core.options.awaits_answers === true ? undefined : signalFor(core, asker),
      bound: Math.min(body_bytes, left),
      give_up: one.call.give_up === true,
      chunked: one.call.chunked === true,
    },
  )
  if ('reason' in answer) return answer
  return readReply(one.exchange, answer, core.options.redactor, Math.min(body_weight, left))
}

function authorizationOf(core: Core, call: RestCall): string | undefined {
  const key: KeyName | 'none' | 'malformed' = call.key ?? 'primary'
  if (key === 'none') return undefined
  if (key === 'malformed') {
    if (call.authorization === undefined) throw new Error('A call with a malformed key needs `authorization`')
    return withKey(core, call.authorization)
  }
  return `Bearer ${keyValue(core, key)}`
}

function keyValue(core: Core, key: KeyName): string {
  const value = core.options.keys[key]
  if (value === undefined) throw new Error(`There is no value for the key ${key}`)
  return value
}

/** `{primary}`, `{primary:cut}`. */
const keyPlace = new RegExp(String.raw`\{(\w+)(?::(${spoiltWays.join('|')}))?\}`, 'g')

/** Puts keys where `{primary}` stands. What is left of one that is cut, marred or turned is as secret as the whole. */
function withKey(core: Core, text: string): string {
  return text.replaceAll(keyPlace, (_, name: string, way: SpoiltWay | undefined) => {
    const value = keyValue(core, name as KeyName)
    if (way === undefined) return value
    const rest = spoil(value, way)
    core.options.redactor.learn(spoiltLabel(name, way), rest)
    return rest
  })
}

function withKeys(core: Core, headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), withKey(core, text)]))
}
