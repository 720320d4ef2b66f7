import { isMishap } from '../law/tables.ts'
import { retryAfter } from './retry-after.ts'
import type { Exchange } from './types.ts'

const mostAttempts = 3
/** Where the first answer says that nothing was done. */
const mostAfterFailures = 2

/**
 * Behind a Retry-After others may be quicker, time and again: whoever uses the same key beside us waits as we do. From the
 * third refusal on the pauses grow, and not by the same for both.
 */
const mostAfterRefusals = 8
const longestGrowth = 24_000

/** A wait for longer than this is no retry any more: the answer stands. Rate windows are a minute long. */
const longestRetryAfter = 75_000

/** A request after `Retry-After` plus this must be admitted if the header told the truth. */
const slack = 1_000
const firstBackoff = 400

export interface Pause {
  readonly ms: number
  readonly why: 'retry-after' | 'backoff'
}

export interface Attempt {
  /** From 1. */
  readonly attempt: number
  /** A second send can do no second thing. */
  readonly safe: boolean
  /** See {@link RestCall.passing}. */
  readonly passing?: number | undefined
  /** The target admits requests: a refusal is likely to pass. */
  readonly admits: boolean
  /** Wall-clock time in milliseconds. */
  readonly now: number
}

/**
 * How long a polite client waits before it tries again; undefined where the answer stands. 10008 and 429 are tried again
 * always, faults of the network and a 5xx without a code of section 7 as often only where `safe` (section 7, "Retry
 * rules"). 30006 is left to the caller, who may have a slot to free.
 */
export function pauseAfter(answer: Exchange, one: Attempt): Pause | undefined {
  if (answer.ok || answer.code === 30006) return undefined
  const { attempt, now } = one
  const asked = retryAfter(answer.headers, now)
  if (attempt >= mostAttemptsAt(answer, one, asked !== undefined)) return undefined
  if (asked === undefined) return { ms: firstBackoff * 2 ** (attempt - 1), why: 'backoff' }
  if (asked + slack > longestRetryAfter) return undefined
  return { ms: asked + slack + growth(attempt, now), why: 'retry-after' }
}

function mostAttemptsAt(answer: Exchange, { safe, passing, admits }: Attempt, told: boolean): number {
  const limited = answer.code === 10008 || answer.status === 429
  if (limited) return admits && told ? mostAfterRefusals : mostAttempts
  if (isWeather(answer)) return safe ? mostAttempts : isFailure(answer) ? mostAfterFailures : 1
  return answer.code !== undefined && answer.code === passing ? mostAfterFailures : 1
}

function growth(attempt: number, now: number): number {
  if (attempt < mostAttempts) return 0
  const share = 0.5 + (now % 1_000) / 1_000
  return Math.round(Math.min(1_000 * 2 ** (attempt - 2) * share, longestGrowth))
}

/** The target itself says that it failed, and not for what was asked. */
export function isFailure({ status, code }: Exchange): boolean {
  return status >= 500 && code !== undefined && code !== 0
}

function isWeather(answer: Exchange): boolean {
  if (answer.failure !== undefined) return ['timeout', 'refused', 'reset', 'dns'].includes(answer.failure)
  return isMishap(answer)
}
