import type { Workload } from '../workloads.ts'
import { type Arrivals, countOf, mostInAMinute, rounded, scaled } from './arrivals.ts'
import type { Key } from './keys.ts'

/** A scenario in a run, as the plan needs it. */
export interface Share {
  readonly scenario: string
  /** Its part of all iterations, by the sum of all weights. */
  readonly weight: number
  /** What an iteration costs at most. */
  readonly requests: number
  readonly sessions: number
  readonly exceeds: readonly ('requests' | 'sessions')[]
}

/** What one key brings to one scenario: a k6 executor of its own. */
export interface Lane {
  readonly scenario: string
  readonly key: Key
  readonly arrivals: Arrivals
  /** Users at most. */
  readonly users: number
  /** How many iterations its schedule has. */
  readonly iterations: number
}

/** A fifth of each key's requests is left for retries, and for closing what was left open. */
const SPENT = 0.8

/**
 * Spreads a workload over keys. Each key has its own schedules and users, so that its budgets stay true whichever users k6
 * picks, and over any number of processes: k6 divides a schedule and its users among them without a rest.
 *
 * Rates are divided by what each key may spend; where all keys together allow less than the workload wants, the whole
 * shape is lowered. Users are divided by the sessions of each key.
 */
export function planOf(shares: readonly Share[], workload: Workload, keys: readonly Key[]): Lane[] {
  const weights = shares.reduce((sum, { weight }) => sum + weight, 0)
  const all = keys.reduce((sum, key) => sum + key.requests_per_minute, 0)
  return shares.flatMap((share) =>
    keys.map((key) => {
      const part = (share.weight / weights) * (key.requests_per_minute / all)
      const factor = share.exceeds.includes('requests') ? part : part * lowered(shares, workload, all)
      const arrivals = rounded(scaled(workload, factor))
      const users = usersOf(share, workload, { key, keys: keys.length, shares: shares.length })
      return { scenario: share.scenario, key, arrivals, users, iterations: countOf(arrivals) }
    }),
  )
}

/** By what the whole shape is multiplied, so that no minute needs more than all keys' requests; at most 1. */
function lowered(shares: readonly Share[], workload: Workload, perMinute: number): number {
  const bound = shares.filter(({ exceeds }) => !exceeds.includes('requests'))
  const weights = shares.reduce((sum, { weight }) => sum + weight, 0)
  const each = bound.reduce((sum, { weight, requests }) => sum + (weight / weights) * requests, 0)
  const wanted = each * mostInAMinute(workload)
  return wanted === 0 ? 1 : Math.min(1, (SPENT * perMinute) / wanted)
}

function usersOf(share: Share, workload: Workload, among: { key: Key; keys: number; shares: number }): number {
  const wanted = Math.ceil(workload.users / among.keys / among.shares)
  const cap = among.key.concurrent_sessions
  if (cap === undefined || share.sessions === 0 || share.exceeds.includes('sessions')) return Math.max(1, wanted)
  return Math.max(1, Math.min(wanted, Math.floor(cap / share.sessions / among.shares)))
}
