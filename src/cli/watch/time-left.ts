import { allowedPerWindow } from '#client/pace/pace'
import type { Scenario } from '#scenario/author/scenario'
import { priceOf } from '#scenario/plan/outlay'
import { expectedOf, lookBackRequests, paceOf, sideBySide } from '#scenario/plan/plan'
import type { LeftOut } from '#scenario/plan/selection'
import { type KeyName, keyNames, type Profile } from '#spec/profile'
import type { RunState } from './run-state.ts'

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
/** How many answers it takes to tell how long one takes. */
const enough = 20
/** Until then. */
const usualAnswerMs = 50
/** Ending what was made, and judging. */
const endMs = 2_000

/** A scenario that has not ended. */
interface Open {
  /** Keys of the requests that it is expected to send yet, one after the other. */
  readonly keys: string[]
  /** What it takes beside them. */
  readonly besideMs: number
  /** Until when its own timers keep it, in milliseconds from its begin. */
  readonly waitsMs: number
  readonly began: number | undefined
}

/**
 * Seconds until the run is over: as long as it takes to send what is left of it, each scenario one request after the other,
 * each request when its key may, each that has not begun in the place of the first that ends.
 *
 * @param now milliseconds of the run
 */
export function secondsLeft(state: RunState, planned: Planned, now: number): number {
  const each = state.answers.count < enough ? usualAnswerMs : state.answers.ms / state.answers.count
  const { profile } = planned
  const turns = new Turns(state, profile)
  const open = openOf(state, planned, now)
  const begun = open.filter(({ began }) => began !== undefined)
  const queue = open.filter(({ began }) => began === undefined)
  const free = Math.max(0, sideBySide(profile) - begun.length)
  const running = [...begun, ...queue.splice(0, free)].map((one) => ({ one, at: now, began: one.began ?? now }))
  let over = now
  for (let next = firstOf(running); next !== undefined; next = firstOf(running)) {
    const key = next.one.keys.shift()
    if (key !== undefined) {
      next.at = turns.take(key, next.at) + each
      continue
    }
    running.splice(running.indexOf(next), 1)
    const end = Math.max(next.at + next.one.besideMs, next.began + next.one.waitsMs)
    over = Math.max(over, end)
    const [waiting] = queue.splice(0, 1)
    if (waiting !== undefined) running.push({ one: waiting, at: end, began: end })
  }
  for (let count = oneByOne(state, planned) + lookBackRequests.others; count > 0; count -= 1)
    over = turns.take('primary', over) + each
  return (over - now + endMs) / 1_000
}

function firstOf<One extends { readonly at: number }>(running: readonly One[]): One | undefined {
  let first: One | undefined
  for (const one of running) if (first === undefined || one.at < first.at) first = one
  return first
}

/** Those that exhaust a limit do not keep to any pace; what they wait for is a Retry-After, which shows when it comes. */
function openOf(state: RunState, { scenarios, left_out, profile }: Planned, now: number): readonly Open[] {
  return scenarios
    .filter(({ id, runs }) => !state.done.has(id) && runs !== 'last' && runs !== 'alone')
    .map((one) => {
      const sent = state.sentBy.get(one.id)
      const { requests, by_key } = priceOf(one, left_out, profile)
      const left = Object.entries(by_key).map(
        ([key, count]) => [key, Math.max(0, count - (sent?.get(key) ?? 0))] as const,
      )
      const keyed = left.flatMap(([key, count]) => Array.from({ length: count }, () => key))
      const allSent = [...(sent?.values() ?? [])].reduce((sum, count) => sum + count, 0)
      const others = Math.max(0, requests - allSent - keyed.length)
      return {
        keys: [...keyed, ...Array.from({ length: others }, () => 'none')],
        besideMs: state.besideLeft(one.id, now),
        waitsMs: (one.price.waits ?? 0) * 1_000,
        began: state.running.get(one.id),
      }
    })
}

/** Requests of scenarios that come after all others, one at a time. */
function oneByOne({ done }: RunState, { scenarios, left_out }: Planned): number {
  const after = scenarios.filter(({ id, runs }) => (runs === 'alone' || runs === 'last') && !done.has(id))
  return after.reduce((sum, one) => sum + expectedOf(one, left_out), 0)
}

const isKey = (name: string): name is KeyName => (keyNames as readonly string[]).includes(name)

/** When keys may send, first come first served. */
class Turns {
  readonly #state: RunState
  readonly #profile: Profile
  readonly #sent = new Map<string, number[]>()

  constructor(state: RunState, profile: Profile) {
    this.#state = state
    this.#profile = profile
  }

  /** The millisecond at which the key sends what it is asked for at this one. */
  take(key: string, at: number): number {
    if (!isKey(key)) return at
    const allowed = allowedPerWindow(paceOf(this.#profile, key))
    const known = this.#state.keys.get(key) ?? { sent: [], heldUntil: 0 }
    const sent = this.#sent.get(key) ?? known.sent.slice(-allowed)
    this.#sent.set(key, sent)
    const oldest = sent[sent.length - allowed]
    const turn = Math.max(at, known.heldUntil, oldest === undefined ? 0 : oldest + windowMs)
    sent.push(turn)
    return turn
  }
}
