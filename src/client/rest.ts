import type { KeyName } from '../law/profile.ts'
import { type OperationId, operations } from '../law/tables.ts'
import type { FailureReason, WaitEntry } from '../trace/entry.ts'
import { type Answer, failed, readAnswer } from './answer.ts'
import { type Asker, assertGoing, type Core, record, signalFor } from './core.ts'
import { BudgetSpent } from './errors.ts'
import type { Failure } from './failure.ts'
import { send } from './http.ts'
import { operationPath, type PreparedRequest, prepareRequest, queryOf } from './request.ts'
import { isFailure, type Pause, pauseAfter } from './retry.ts'
import type { Exchange, RestCall } from './types.ts'

/** Waits shorter than this are no entry. */
const shortestWait = 50

/** Faults of the network in a row, after which waiting and trying again is given up. */
const mostFaults = 6

/** Repetitions in a row that failed like the first, after which failures of the target are believed at once. */
const mostVain = 8

/** Refusals in a row behind a Retry-After that was honoured, after which that key's header is no longer believed. */
const mostLies = 12

/** Most milliseconds of Retry-After that one run honours in sum; beyond, a 429 stands. */
const patience = 600_000

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

export function createRest(core: Core): Rest {
  const state = { faults: 0, vain: 0, patience, admits: false, lies: new Map<string, number>() }

  function prepare(target: Pick<PreparedRequest, 'operation' | 'method' | 'path'>, call: RestCall, exchange: number) {
    const common = { ...core.headers, ...withKeys(core, call.headers ?? {}) }
    return prepareRequest(target, call, common, authorizationOf(core, call), String(exchange))
  }

  async function run(asker: Asker, request: PreparedRequest, call: RestCall, exchange: number): Promise<Exchange> {
    let last: Exchange | undefined
    for (let attempt = 1; ; attempt += 1) {
      const result = await attemptIfPaid(asker, request, { exchange, attempt, call }, last)
      if (result === last) return result
      last = result
      state.faults = result.failure === undefined ? 0 : state.faults + 1
      believe(request.key, result, attempt)
      const pause = call.retry === 'never' ? undefined : pauseBefore(result, request, { attempt, call })
      if (pause === undefined || signalFor(core, asker)?.aborted === true) return result
      await waitRecorded(core, asker, pause.ms, pause.why)
    }
  }

  /** @returns `last`, the answer so far, where the budget allows no other attempt. */
  async function attemptIfPaid(asker: Asker, request: PreparedRequest, one: Send, last: Exchange | undefined) {
    try {
      await takeTurn(core, asker, request.key, one.call)
      return await attemptOnce(core, asker, request, one)
    } catch (error) {
      if (last !== undefined && error instanceof BudgetSpent) return last
      throw error
    }
  }

  /** What is refused behind a pause speaks against the pauses of its key, until something else comes. */
  function believe(key: string, result: Exchange, attempt: number): void {
    const { code, status } = result
    const limited = code === 10008 || status === 429
    state.admits ||= code === 0
    if (attempt > 1 && !limited) state.vain = isFailure(result) ? state.vain + 1 : 0
    if (!limited) state.lies.set(key, 0)
    else if (attempt > 1) state.lies.set(key, (state.lies.get(key) ?? 0) + 1)
  }

  function pauseBefore(
    result: Exchange,
    request: PreparedRequest,
    { attempt, call: { passing } }: Omit<Send, 'exchange'>,
  ): Pause | undefined {
    const { admits } = state
    const pause = pauseAfter(result, { attempt, safe: request.repeatable, passing, admits, now: Date.now() })
    if (pause === undefined || state.faults >= mostFaults) return undefined
    if (state.vain >= mostVain && isFailure(result)) return undefined
    if (pause.why === 'backoff') return pause
    if (pause.ms > state.patience || (state.lies.get(request.key) ?? 0) >= mostLies) return undefined
    state.patience -= hold(request.key, pause.ms)
    return pause
  }

  /** Retry-After speaks of the key, so whoever else wants to use the key waits as well. */
  function hold(key: string, ms: number): number {
    return isPaced(key) ? core.pace.hold(key, core.clock.now() + ms) : ms
  }

  return {
    call: async (asker, operation, call) => {
      const exchange = call.exchange ?? core.numbers.next('exchange')
      const target = { operation, method: operations[operation].method, path: operationPath(operation, call) }
      return run(asker, prepare(target, call, exchange), call, exchange)
    },
    raw: async (asker, method, path, call) => {
      const exchange = call.exchange ?? core.numbers.next('exchange')
      return run(
        asker,
        prepare({ operation: null, method, path: path + queryOf(call) }, call, exchange),
        call,
        exchange,
      )
    },
  }
}

/** Lets time pass and records how much; also when the run is aborted meanwhile. */
export async function waitRecorded(core: Core, asker: Asker, ms: number, why: WaitEntry['why']): Promise<void> {
  const began = core.clock.now()
  try {
    await core.clock.sleep(ms, signalFor(core, asker), why)
  } finally {
    record(core, asker, { kind: 'wait', why, ms: rounded(core.clock.now() - began) })
  }
}

/** Waits until the key may send. A call for cleanup after an abort goes at once: somebody waits for our end. */
async function takeTurn(core: Core, asker: Asker, key: string, call: RestCall): Promise<void> {
  assertGoing(core, asker)
  core.budget.check(asker.cleanup)
  if (!isPaced(key)) return
  if (call.pace === false || (asker.cleanup && core.options.signal.aborted)) {
    core.pace.count(key)
    return
  }
  const waited = await core.pace.turn(key, signalFor(core, asker))
  if (waited > shortestWait) record(core, asker, { kind: 'wait', why: 'pace', ms: rounded(waited) })
}

interface Send {
  readonly exchange: number
  readonly attempt: number
  readonly call: RestCall
}

async function attemptOnce(core: Core, asker: Asker, request: PreparedRequest, one: Send): Promise<Exchange> {
  const { exchange, attempt } = one
  const { operation, method, path, key, headers } = request
  assertGoing(core, asker)
  core.budget.spend(asker.cleanup)
  record(core, asker, { kind: 'request', exchange, attempt, operation, method, path, key, headers, ...request.shown })
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

async function sendOnce(core: Core, asker: Asker, request: PreparedRequest, one: Send): Promise<Answer | Failure> {
  const { method, path, headers, payload } = request
  const { body_bytes, body_weight } = core.bounds
  // What a run made is ended also after a flood: the answers to that are short.
  const left = Math.max(core.intake.left, asker.cleanup ? shortAnswer : 0)
  const answer = await send(
    core.sockets.agent,
    { origin: core.base.origin, path: core.base.prefix + path, method, headers, payload },
    {
      deadline_ms: one.call.deadline_ms ?? core.options.timeouts.reply_ms,
      signal: signalFor(core, asker),
      bound: Math.min(body_bytes, left),
      give_up: one.call.give_up === true,
      chunked: one.call.chunked === true,
    },
  )
  if ('reason' in answer) return answer
  return readAnswer(one.exchange, answer, core.options.redactor, Math.min(body_weight, left))
}

function isPaced(key: string): boolean {
  return key !== 'none' && key !== 'malformed'
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

/** Puts keys where `{primary}` stands. What is left of one that is cut, marred or turned is as secret as the whole. */
function withKey(core: Core, text: string): string {
  return text.replaceAll(/\{(\w+)(:cut|:marred|:turned)?\}/g, (_, name: string, how: string | undefined) => {
    const value = keyValue(core, name as KeyName)
    if (how === undefined) return value
    const rest = how === ':cut' ? value.slice(0, -1) : how === ':turned' ? turned(value) : marred(value)
    core.options.redactor.learn('cut_api_key', rest)
    return rest
  })
}

/** With another character in its middle. */
function marred(value: string): string {
  const middle = Math.floor(value.length / 2)
  return `${value.slice(0, middle)}${value[middle] === 'x' ? 'y' : 'x'}${value.slice(middle + 1)}`
}

/** With small letters for capitals and the other way round; what may be the digits of a number is marred. */
function turned(value: string): string {
  if (!/[g-z]/i.test(value)) return marred(value)
  return value.replaceAll(/[a-z]/gi, (letter) => {
    const small = letter.toLowerCase()
    return letter === small ? letter.toUpperCase() : small
  })
}

function withKeys(core: Core, headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), withKey(core, text)]))
}

function rounded(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000)
}
