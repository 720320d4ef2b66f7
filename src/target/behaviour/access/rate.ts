import type { Account } from '#target/keys'

/** What the limiter remembers of one key. */
export interface RateState {
  /** Tokens left of the bucket, or requests counted in the window. */
  level: number
  /** Milliseconds of the last refill, or of the start of the window. */
  since: number
  /** Admitted requests, oldest first; only for a sliding window. */
  times: number[]
}

export interface RateDecision {
  admitted: boolean
  /** Whole seconds after which the next request is admitted; 0 when this one was. */
  retryAfterSeconds: number
}

const admitted: RateDecision = { admitted: true, retryAfterSeconds: 0 }
const MINUTE_MS = 60_000

/** A bucket of one minute's requests that refills evenly. Tells the truth about the next token. */
export function tokenBucket(state: RateState, perMinute: number, now: number): RateDecision {
  const perMs = perMinute / MINUTE_MS
  if (state.since === 0) state.level = perMinute
  else state.level = Math.min(perMinute, state.level + (now - state.since) * perMs)
  state.since = now
  if (state.level < 1) return { admitted: false, retryAfterSeconds: Math.ceil((1 - state.level) / perMs / 1000) }
  state.level -= 1
  return admitted
}

/** Counts what was admitted within the last minute. */
export function slidingWindow(state: RateState, perMinute: number, now: number): RateDecision {
  state.times = state.times.filter((time) => now - time < MINUTE_MS)
  const oldest = state.times[state.times.length - perMinute]
  if (oldest !== undefined)
    return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)) }
  state.times.push(now)
  return admitted
}

/** Counts from the first request on and starts again after a minute. */
export function fixedWindow(state: RateState, perMinute: number, now: number): RateDecision {
  if (now - state.since >= MINUTE_MS) {
    state.since = now
    state.level = 0
  }
  if (state.level >= perMinute)
    return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil((state.since + MINUTE_MS - now) / 1000)) }
  state.level += 1
  return admitted
}

/** Section 8: "60 requests per minute per key by default (configurable)", over all REST calls. */
export const rate = () => ({
  decide: tokenBucket,
  perMinute: (account: Account): number => account.requestsPerMinute,
  /** The limit is per key. */
  scope: (account: Account): string => account.secret,
  counts: (_operation: string): boolean => true,
  /** Whether a refused request is carried out all the same. */
  actsAnyway: (_operation: string): boolean => false,
  /** What a request that was admitted and then failed gives back. */
  afterFailure: (_state: RateState): void => undefined,
})
