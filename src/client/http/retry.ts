import { isMishap } from '#spec/tables'
import { mayBeEdges, pageKind } from '#trace/edge'
import { retryAfter } from './retry-after.ts'
import type { Exchange } from '../types.ts'

const mostAttempts = 3
/** Pauses where the answer is a code that may pass by itself: at once, or when what stands behind the target is there again. */
const whilePassing = [400, 4_000]
/** A target that says itself that it failed, and a page of a 4xx, are not waited for as long as silence is. */
const mostPauses = 3
/** The same where another attempt may make another thing: three failures in a row are no accident. */
const mostPausesIfUnsafe = 2

/**
 * Behind a Retry-After others may be quicker, time and again: whoever uses the same key beside us waits as we do. From the
 * third refusal on the pauses grow, and not by the same for both.
 */
const mostAfterRefusals = 8
const longestGrowth = 24_000

/** A wait for longer than this is no retry any more: the answer stands. Rate windows are a minute long. */
export const longestRetryAfter = 75_000

/** A request after `Retry-After` plus this must be admitted if the header told the truth. */
const slack = 1_000
const firstBackoff = 400
const goldenRatio = (1 + Math.sqrt(5)) / 2

export interface Pause {
  readonly ms: number
  readonly why: 'retry-after' | 'backoff'
}

export interface Attempt {
  /** From 1. */
  readonly attempt: number
  /** A second send does no harm. */
  readonly safe: boolean
  /** See {@link RestCall.passing}. */
  readonly passing?: number | undefined
  /** The target admits requests: a refusal is likely to pass. */
  readonly admits: boolean
  /** Wall-clock time in milliseconds. */
  readonly now: number
  /** Pauses that are worth while for trouble such as this. */
  readonly pauses: readonly number[]
}

/**
 * How long a polite client waits before it tries again; undefined where the answer stands. 10008 and 429 are tried again
 * always; faults of the network, an edge's page and a 5xx without a code of section 7 only where a second send does no harm
 * (section 7, "Retry rules"). 30006 is left to the caller, who may have a slot to free.
 */
export function pauseAfter(answer: Exchange, one: Attempt): Pause | undefined {
  if (answer.ok || answer.code === 30006) return undefined
  const { attempt, now } = one
  const asked = retryAfter(answer.headers, now)
  if (troubleOf(answer) !== undefined && (asked === undefined || answer.status !== 429)) {
    const ms = one.pauses[attempt - 1]
    return ms === undefined || attempt > mostPausesFor(answer, one.safe) ? undefined : { ms, why: 'backoff' }
  }
  if (attempt >= mostAttemptsAt(answer, one, asked !== undefined)) return undefined
  if (asked === undefined) return { ms: backoff(answer, one), why: 'backoff' }
  if (asked + slack > longestRetryAfter) return undefined
  return { ms: asked + slack + growth(attempt, now), why: 'retry-after' }
}

/** What seems to be wrong on the way to the target, or inside it for a moment; undefined for an answer to the request. */
export function troubleOf(answer: Exchange): string | undefined {
  if (answer.failure !== undefined) return passing.has(answer.failure) ? answer.failure : undefined
  if (answer.code !== undefined) return isMishap(answer) ? `HTTP ${answer.status} with ${answer.code}` : undefined
  return mayBeEdges(answer) ? pageKind(answer) : undefined
}

/** Failures of the way that may pass. */
const passing: ReadonlySet<string> = new Set(['timeout', 'refused', 'reset', 'dns'])

function mostPausesFor(answer: Exchange, safe: boolean): number {
  const { failure, status } = answer
  if (failure !== undefined) return safe || failure === 'refused' || failure === 'dns' ? Infinity : 0
  if (isFailure(answer)) return safe ? mostPauses : mostPausesIfUnsafe
  // What an edge refuses by a 4xx, or sends elsewhere, it did not hand on.
  if (status >= 300 && status < 500) return mostPauses
  return safe ? Infinity : 0
}

function mostAttemptsAt(answer: Exchange, { passing: code, admits }: Attempt, told: boolean): number {
  if (isLimited(answer)) return admits && told ? mostAfterRefusals : mostAttempts
  return answer.code !== undefined && answer.code === code ? whilePassing.length + 1 : 1
}

/** How long to wait where nobody says so: requests that were refused at one moment do not come back at one moment. */
function backoff(answer: Exchange, { attempt }: Attempt): number {
  const passes = isLimited(answer) ? undefined : whilePassing[attempt - 1]
  return passes ?? Math.round(firstBackoff * 2 ** (attempt - 1) * spread(answer.exchange * attempt))
}

/** From 0.5 below 1.5, far apart for numbers that are near each other; the same in each run. */
function spread(number: number): number {
  return 0.5 + ((number * goldenRatio) % 1)
}

function growth(attempt: number, now: number): number {
  if (attempt < mostAttempts) return 0
  const share = 0.5 + (now % 1_000) / 1_000
  return Math.round(Math.min(1_000 * 2 ** (attempt - 2) * share, longestGrowth))
}

/** Refused for the rate of its key: the answer says so by its code, or by its status alone. */
export function isLimited({ code, status }: Pick<Exchange, 'code' | 'status'>): boolean {
  return code === 10008 || status === 429
}

/** The target itself says that it failed, and not for what was asked. */
export function isFailure({ status, code }: Exchange): boolean {
  return status >= 500 && code !== undefined && code !== 0
}
