import type { Refusal } from './refusal.ts'
import { readRetryAfter } from './retry-after.ts'

/** How one kind of refusal is met. */
export interface Patience {
  /** Attempts at most, the first among them. */
  readonly attempts: number
  /** Upper bound of the first wait; it doubles with each attempt, up to `cap_ms`. */
  readonly first_ms: number
  readonly cap_ms: number
  /** A `Retry-After` over this is not waited for: then we give up, and never come back too early. */
  readonly longest_ms: number
}

export type Policy = { readonly [kind in Refusal]: Patience | undefined }

const usual: Patience = { attempts: 4, first_ms: 400, cap_ms: 10_000, longest_ms: 90_000 }

/**
 * Section 7: "on 429, 5xx or timeout, retry Create Session with the same `idempotency_key`". Made where something was refused:
 * a table that is kept costs every user of k6 3 kB.
 */
export const createPolicy = (): Policy => ({
  // A limit of requests a minute does not pass in less than seconds.
  rate: { ...usual, first_ms: 2_000, cap_ms: 60_000 },
  concurrency: { ...usual, first_ms: 1_000 },
  // The platform may be short of it for some seconds.
  capacity: { ...usual, attempts: 6 },
  throttled: usual,
  // A service that starts anew is away for some seconds.
  server: { ...usual, attempts: 6 },
  network: { ...usual, attempts: 6 },
  request: undefined,
  final: undefined,
})

/** Of a refused upgrade; one that is refused for good (a session that ended, a wrong secret) stays refused. */
export const upgradePolicy = (): Policy => ({
  ...createPolicy(),
  throttled: { ...usual, attempts: 6 },
})

export interface Refused {
  readonly refusal: Refusal
  /** The header as it came. */
  readonly retryAfter: string | undefined
  /** The `Date` header of the same answer. */
  readonly date: string | undefined
  readonly now: number
  /** Made so far. */
  readonly attempts: number
}

export type Decision =
  | { readonly wait_ms: number; readonly why: 'as-asked' | 'backed-off' }
  | { readonly wait_ms: undefined; readonly why: 'given-up' }

/** What comes on top of what was asked, so that those who were refused together don't come back together. */
const JITTER_MS = 500

/**
 * Whether and when to send again. A service that says when is taken at its word: never earlier, and a little later by
 * chance. Else full jitter: any moment from now to a bound that doubles.
 * @param random from 0 to 1
 */
export function decide(refused: Refused, random: number, policy: Policy = createPolicy()): Decision {
  const patience = policy[refused.refusal]
  if (patience === undefined || refused.attempts >= patience.attempts) return { wait_ms: undefined, why: 'given-up' }
  const asked = readRetryAfter(refused.retryAfter, refused.date, refused.now)
  if (asked === undefined) return { wait_ms: backOff(patience, refused.attempts, random), why: 'backed-off' }
  if (asked > patience.longest_ms) return { wait_ms: undefined, why: 'given-up' }
  return { wait_ms: asked + random * JITTER_MS, why: 'as-asked' }
}

/** Full jitter, exponential, capped. */
export function backOff({ first_ms, cap_ms }: Patience, attempts: number, random: number): number {
  return random * Math.min(cap_ms, first_ms * 2 ** (attempts - 1))
}

/** What retries may cost a user: a few to begin with, then a share of what goes without. A sick target is not asked ever more. */
const RESERVE = 5
const SHARE = 0.2

export interface RetryBudget {
  left: number
}

export const newBudget = (): RetryBudget => ({ left: RESERVE })

/** A first attempt was made. */
export function earn(budget: RetryBudget): void {
  budget.left = Math.min(RESERVE, budget.left + SHARE)
}

/** @returns false when there is nothing left */
export function spend(budget: RetryBudget): boolean {
  if (budget.left < 1) return false
  budget.left -= 1
  return true
}
