import type { RestAnswer } from '../envelope.ts'
import { readHttpDate, readRetryAfter } from '../retry-after.ts'

/** API rate limit exceeded (section 7). */
export const RATE_LIMITED = '10008'

/** One request that bore a key, and what came of it. */
export interface RateRequest {
  /** Name of the key. */
  readonly key: string
  readonly answer: RestAnswer
  /** What it asked for; undefined where only one thing was asked for. */
  readonly operation?: string
}

/** The minute of a limit, but for limiters made for trying this out. */
export const MINUTE_MS = 60_000

/** What is known of the limit. */
export interface RateTerms {
  /** Requests a minute that the profile declares for the key. */
  readonly limit: number
  /** How long the minute of the limit is: 60,000, but for limiters made for trying this out. */
  readonly minuteMs: number
}

/** What a wait may be short of: a `Retry-After` in whole seconds can't say it better. */
export const SLACK_MS = 1_000

/** An end that is told of is earlier than another one only if it is so by more than both may be off. */
export const EARLIER_MS = 3_000

/** So many rounds convict: what came in one alone may be somebody else's use of the key. */
export const CONVICTIONS = 2

/** Beyond every reading of a minute: two windows, of which the older one may still weigh, and what a request needs on its way. */
export const lookbackOf = ({ minuteMs }: RateTerms): number => 2 * minuteMs + 5_000

export const isRefused = ({ answer }: RateRequest): boolean => answer.code === RATE_LIMITED

/** Whether the target itself answered: pages of a proxy, and what never came, say nothing of a limit. */
export const isAnswered = ({ answer }: RateRequest): boolean =>
  /^\d+$/.test(answer.code) && (answer.status < 500 || answer.code === RATE_LIMITED)

export const isCarriedOut = ({ answer }: RateRequest): boolean => answer.code === '0' && answer.status < 500

/**
 * Milliseconds that a refusal asks to wait. A date is read against the `Date` of the same answer: only differences of the
 * target's own clock are used, since no two clocks agree.
 * @returns undefined where that can't be told
 */
export function waitOf({ answer }: RateRequest): number | undefined {
  const wait = readRetryAfter(answer.retryAfter, answer.date, Number.NaN)
  return wait === undefined || Number.isNaN(wait) ? undefined : wait
}

/** Clocks of one machine, and ours, drift by less than this. */
const DRIFT_MS = 500

/**
 * The same requests, without the `Date` of their answers where these can't come from one clock: machines whose clocks differ
 * answer then, and a date says nothing of how long to wait. A `Date` has whole seconds, and was written at some time between a
 * request and its answer. That of a page which somebody on the way answered with says nothing of the target's.
 */
export function withSureDates(log: readonly RateRequest[]): readonly RateRequest[] {
  let [ahead, behind] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const one of log) {
    const { answer } = one
    const date = isAnswered(one) ? readHttpDate(answer.date?.trim() ?? '') : undefined
    if (date === undefined) continue
    ahead = Math.max(ahead, date - answer.answeredAt)
    behind = Math.min(behind, date + 1_000 - answer.sentAt)
  }
  if (ahead <= behind + DRIFT_MS) return log
  return log.map((one) => ({ ...one, answer: { ...one.answer, date: undefined } }))
}

/** Until when a refusal says that the key is shut, on the generator's clock; undefined where that can't be told. */
export function endOf(request: RateRequest): number | undefined {
  const wait = waitOf(request)
  return wait === undefined ? undefined : request.answer.answeredAt + wait
}

/** Whether a `Retry-After` is seconds or an HTTP date at all. */
export const isReadable = ({ answer }: RateRequest): boolean =>
  readRetryAfter(answer.retryAfter, undefined, 0) !== undefined

export const bySending = (log: readonly RateRequest[]): readonly RateRequest[] =>
  log.toSorted((one, other) => one.answer.sentAt - other.answer.sentAt)

/** Requests that the target may have counted before it decided on `request`: whatever was under way beside it may have come first. */
export function possiblyBefore(
  log: readonly RateRequest[],
  request: RateRequest,
  terms: RateTerms,
): readonly RateRequest[] {
  const { sentAt, answeredAt } = request.answer
  const from = sentAt - lookbackOf(terms)
  return log.filter((one) => one !== request && one.answer.answeredAt >= from && one.answer.sentAt <= answeredAt)
}
