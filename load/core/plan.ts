import type { Workload } from '../workloads.ts'
import { type Arrivals, countOf, mostInAMinute, peakOf, rounded, scaled } from './arrivals.ts'
import type { Key } from './keys.ts'

/** A scenario in a run, as the plan needs it. */
export interface Share {
  readonly scenario: string
  /** Its part of all iterations, by the sum of all weights. */
  readonly weight: number
  /** What an iteration costs at most. */
  readonly requests: number
  readonly sessions: number
  /** How long it holds its user where all goes well; undefined where that is nothing to speak of. */
  readonly busy_ms?: number | undefined
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
 * shape is lowered. Users are divided by the sessions of each key; where these are too few to hold as many iterations at a
 * time as the workload wants, the whole shape is lowered as well: a drop shall be the target's doing, never ours.
 */
export function planOf(shares: readonly Share[], workload: Workload, keys: readonly Key[]): Lane[] {
  const weights = shares.reduce((sum, { weight }) => sum + weight, 0)
  const all = keys.reduce((sum, key) => sum + key.requests_per_minute, 0)
  const lanes = shares.flatMap((share) =>
    keys.map((key) => {
      const part = (share.weight / weights) * (key.requests_per_minute / all)
      return { share, key, part, ...usersOf(share, workload, key, { keys: keys.length, shares: shares.length }) }
    }),
  )
  const bySessions = Math.min(1, ...lanes.map((lane) => holdable(lane, workload)))
  const byRequests = lowered(shares, workload, all)
  return lanes.map(({ share, key, part, users }) => {
    const factor = part * (share.exceeds.includes('requests') ? bySessions : Math.min(bySessions, byRequests))
    const arrivals = rounded(scaled(workload, factor))
    return { scenario: share.scenario, key, arrivals, users, iterations: countOf(arrivals) }
  })
}

/** Some users are left free: iterations don't all take as long as usual. */
const HELD = 0.8

/** By what a lane's shape is multiplied, so that its users hold all iterations of its highest rate at a time; may be over 1. */
function holdable({ share, part, users, cut }: Users & { share: Share; part: number }, workload: Workload): number {
  const highest = part * peakOf(workload)
  const wanted = (highest * (share.busy_ms ?? 0)) / 1_000
  return cut && wanted > 0 ? (HELD * users) / wanted : 1
}

/** Whether some key has too few sessions for its part of the users that the workload brings. */
export function fewSessions(share: Share, shares: number, workload: Workload, keys: readonly Key[]): boolean {
  return keys.some((key) => usersOf(share, workload, key, { keys: keys.length, shares }).cut)
}

/** By what the whole shape is multiplied, so that no minute needs more than all keys' requests; at most 1. */
function lowered(shares: readonly Share[], workload: Workload, perMinute: number): number {
  const bound = shares.filter(({ exceeds }) => !exceeds.includes('requests'))
  const weights = shares.reduce((sum, { weight }) => sum + weight, 0)
  const each = bound.reduce((sum, { weight, requests }) => sum + (weight / weights) * requests, 0)
  const wanted = each * mostInAMinute(workload)
  return wanted === 0 ? 1 : Math.min(1, (SPENT * perMinute) / wanted)
}

interface Users {
  readonly users: number
  /** Whether the workload wants more than the key has sessions for. */
  readonly cut: boolean
}

function usersOf(
  { sessions, exceeds }: Share,
  workload: Workload,
  { concurrent_sessions: cap }: Key,
  among: { readonly keys: number; readonly shares: number },
): Users {
  const wanted = Math.max(1, Math.ceil(workload.users / among.keys / among.shares))
  if (cap === undefined || sessions === 0 || exceeds.includes('sessions')) return { users: wanted, cut: false }
  const most = Math.max(1, Math.floor(cap / sessions / among.shares))
  return { users: Math.min(wanted, most), cut: most < wanted }
}
