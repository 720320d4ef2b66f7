import { isObject, type JsonObject } from '#trace/json'
import { answerTo } from './answers.ts'
import type { Answer } from './answer.ts'
import type { Attempt, ExchangeRecord } from './trace-index.ts'

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

/** Milliseconds since 1970 by a `Date` header; undefined where there is none. */
export function clockOf(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? undefined : time
}
