import { allowedPerWindow } from '#client/pace/pace'
import type { Scenario } from '#scenario/author/scenario'
import { priceOf } from '#scenario/plan/outlay'
import { expectedOf, lookBackRequests, paceOf, sideBySide } from '#scenario/plan/plan'
import type { LeftOut } from '#scenario/plan/selection'
import { type KeyName, keyNames, type Profile } from '#spec/profile'
import type { KeyState, RunState } from './run-state.ts'

/** What a run is to do. */
export interface Planned {
  readonly scenarios: readonly Scenario[]
  readonly left_out: LeftOut
  readonly profile: Profile
  /** REST requests that it is expected to send. */
  readonly requests: number
}

/** A key goes on when the first of its requests is so long ago. */
const windowMs = 61_000
/** So many requests tell how long one takes. */
const enough = 20
/** Until then, in seconds a request. */
const usualPause = 0.05
/** Ending what was made, and judging. */
const endSeconds = 2

/**
 * Seconds until the run is over: until the slowest key may send the last of its requests, and those that go out with it have
 * their answers, or until the longest wait of a scenario is over.
 *
 * @param now milliseconds of the run
 */
export function secondsLeft(state: RunState, planned: Planned, now: number): number {
  const each = state.requests < enough ? usualPause : state.busySeconds / state.requests
  const left = requestsLeft(state, planned)
  const byKey = [...left].map(([key, count]) => {
    const rate = isKey(key) ? paceOf(planned.profile, key) : Infinity
    const turns = turnsOf(state.keys.get(key) ?? { sent: [], heldUntil: 0 }, count, rate, now)
    const last = turns.at(-1) ?? now
    return { wait: (last - now) / 1_000, together: turns.filter((turn) => turn > last - 1_000).length }
  })
  const work = workLeft(state, planned)
  const slowest = Math.max(0, ...byKey.map(({ wait, together }) => wait + Math.max(together * each, work)))
  const atOnce = byKey.filter(({ wait }) => wait < 1).reduce((sum, { together }) => sum + together, 0) * each
  const after = oneByOne(state, planned) * each
  return Math.max(slowest, atOnce, ...waitsLeft(state, planned, now)) + after + endSeconds
}

/** Seconds that scenarios which have not ended take beside their waits, when the keys let them go on. */
function workLeft({ workMs, done, sentBy, running }: RunState, { scenarios, left_out, profile }: Planned): number {
  if (done.size === 0) return 0
  const atOnce = sideBySide(profile)
  const sentOf = (id: string): number => [...(sentBy.get(id)?.values() ?? [])].reduce((sum, count) => sum + count, 0)
  const left = scenarios.filter(({ id }) => !done.has(id))
  // Within a scenario one request comes after the other.
  const sent = [...done].reduce((sum, id) => sum + sentOf(id), 0)
  const open = left.map((one) => ({ id: one.id, count: Math.max(0, expectedOf(one, left_out) - sentOf(one.id)) }))
  // What waits for its turn begins when the first of the others ends.
  const turn =
    open.length <= atOnce ? 0 : Math.min(...open.filter(({ id }) => running.has(id)).map(({ count }) => count))
  const longest = Math.max(0, ...open.map(({ id, count }) => count + (running.has(id) || count === 0 ? 0 : turn)))
  const each = workMs / Math.max(1, sent)
  const requests = open.reduce((sum, { count }) => sum + count, 0)
  // Those that are over were the short ones, as a rule: their time alone says too little of the others.
  const all = Math.max((workMs / done.size) * left.length, each * requests) / atOnce
  return Math.max(all + (each * longest) / 2, each * longest) / 1_000
}

/** Requests of scenarios that come after all others, one at a time. */
function oneByOne({ done }: RunState, { scenarios, left_out }: Planned): number {
  const after = scenarios.filter(({ id, runs }) => (runs === 'alone' || runs === 'last') && !done.has(id))
  return after.reduce((sum, one) => sum + expectedOf(one, left_out), 0)
}

const isKey = (name: string): name is KeyName => (keyNames as readonly string[]).includes(name)

/** By key: requests that scenarios which have not ended are expected to send yet. */
function requestsLeft(state: RunState, { scenarios, left_out, profile }: Planned): ReadonlyMap<string, number> {
  const left = new Map<string, number>([['primary', lookBackRequests.others]])
  // Those that exhaust a limit do not keep to any pace.
  for (const scenario of scenarios.filter(({ id, runs }) => !state.done.has(id) && runs !== 'last')) {
    const { by_key } = priceOf(scenario, left_out, profile)
    const sent = state.sentBy.get(scenario.id)
    for (const [key, count] of Object.entries(by_key)) {
      left.set(key, (left.get(key) ?? 0) + Math.max(0, count - (sent?.get(key) ?? 0)))
    }
  }
  return left
}

/** When the key may send each of so many requests, in milliseconds of the run. */
function turnsOf({ sent, heldUntil }: KeyState, count: number, perMinute: number, now: number): readonly number[] {
  if (!Number.isFinite(perMinute)) return Array.from({ length: count }, () => now)
  const allowed = allowedPerWindow(perMinute)
  const times = sent.slice(-allowed)
  const turns: number[] = []
  for (let one = 0; one < count; one += 1) {
    const oldest = times[times.length - allowed]
    const turn = Math.max(now, heldUntil, oldest === undefined ? 0 : oldest + windowMs)
    times.push(turn)
    turns.push(turn)
  }
  return turns
}

/**
 * Seconds that scenarios still have to wait for timers of their own. What those wait for that exhaust a limit is a
 * Retry-After, which shows when it comes.
 */
function waitsLeft({ running, done }: RunState, { scenarios }: Planned, now: number): readonly number[] {
  return scenarios
    .filter(({ id, runs }) => !done.has(id) && runs !== 'last')
    .map(({ id, price: { waits = 0 } }) => {
      const began = running.get(id)
      return began === undefined ? waits : Math.max(0, waits - (now - began) / 1_000)
    })
}
