import type { Condition } from '#trace/claim'
import { isOperationId, operations } from '#spec/tables'
import { validate } from '#spec/validators'
import { isObject, type JsonObject } from '#trace/json'
import { type Answer, answerTo } from './answers.ts'
import { contradictsItself } from './faulty-bodies.ts'
import type { Attempt, ExchangeRecord, TraceIndex } from './trace-index.ts'

/** One attempt of a REST call with what came of it. */
export interface Call {
  readonly line: number
  readonly t: number
  /** Infinity where nothing came. */
  readonly answeredLine: number
  readonly answeredT: number
  readonly key: string
  readonly scenario: string | undefined
  readonly asked: JsonObject
  readonly answer: Answer
  /** `data` of a success that is an object. */
  readonly data: JsonObject | undefined
  /** The target's clock when it answered: milliseconds since 1970 by its `Date` header. */
  readonly clock: number | undefined
}

export function callOf(record: ExchangeRecord, attempt: Attempt): Call {
  const { request, response, failure } = attempt
  const end = response ?? failure
  const answer = answerTo(attempt)
  const { body } = request.entry
  return {
    line: request.line,
    t: request.entry.t,
    answeredLine: end?.line ?? Number.POSITIVE_INFINITY,
    answeredT: end?.entry.t ?? Number.POSITIVE_INFINITY,
    key: record.key,
    scenario: record.scenario,
    asked: isObject(body) ? body : {},
    answer,
    data: answer.kind === 'success' && isObject(answer.data) ? answer.data : undefined,
    clock: clockOf(response?.entry.headers['date']),
  }
}

function clockOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? undefined : time
}

/** The session in the path of a request about one. */
export function sessionIn(path: string): string | undefined {
  const id = /^[^?]*\/sessions\/([^/?]+)/.exec(path)?.[1]
  try {
    return id === undefined ? undefined : decodeURIComponent(id)
  } catch {
    return id
  }
}

const known = new WeakMap<TraceIndex, ReadonlySet<number>>()

/** Exchanges that some claim expects to be rejected; in a recording, which has no claims, requests that are wrong by themselves. */
export function faultyExchanges(trace: TraceIndex): ReadonlySet<number> {
  const found = known.get(trace)
  if (found !== undefined) return found
  const faulty = new Set<number>()
  for (const { entry } of trace.claims) collect(entry.condition, faulty)
  if (trace.header?.recording !== undefined) for (const one of wrongByThemselves(trace)) faulty.add(one)
  known.set(trace, faulty)
  return faulty
}

function collect(condition: Condition, faulty: Set<number>): void {
  if (condition.is === 'rejected') faulty.add(condition.exchange)
  else if (condition.is === 'any' || condition.is === 'all') for (const one of condition.of) collect(one, faulty)
}

/** What a client sent in a wrong shape, or contradicting itself, may come back as it was sent: that is its own fault. */
function wrongByThemselves(trace: TraceIndex): readonly number[] {
  return [...trace.asked.values()].flatMap(({ exchange, operation, attempts }) => {
    const shape = isOperationId(operation) ? operations[operation].request : null
    const body = attempts[0]?.request.entry.body
    if (shape === null || body === undefined) return []
    return validate(shape, body).length > 0 || contradictsItself(operation, body) ? [exchange] : []
  })
}
