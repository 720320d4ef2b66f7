import { allowedPerWindow } from '#client/pace/pace'
import { paceOf } from '#scenario/plan/plan'
import { keyNames } from '#spec/profile'
import type { RunState } from './run-state.ts'
import type { Planned } from './time-left.ts'

/** A target counts requests in any window of a minute. */
const windowMs = 61_000
/** For how many milliseconds something counts as going on just now. */
const justNowMs = 1_500

/** What keeps a run waiting, and for how long yet where that is known, in milliseconds. */
export interface Waiting {
  /** `Retry-After of key rate_limited, 41 s left` */
  readonly what: string
  readonly ms: number
}

/**
 * What keeps the run waiting; undefined while requests go out.
 *
 * @param now milliseconds of the run
 */
export function waitingFor(state: RunState, { scenarios, profile }: Planned, now: number): Waiting | undefined {
  const lasts = [...state.keys.values()].map(({ sent }) => sent.at(-1) ?? 0)
  if (state.running.size === 0 || Math.max(0, ...lasts) > now - justNowMs) return undefined
  const held = [...state.keys].map(([key, { heldUntil }]) => ({ key, ms: heldUntil - now })).filter(({ ms }) => ms > 0)
  const [longest] = held.toSorted((one, other) => other.ms - one.ms)
  if (longest !== undefined)
    return { what: `Retry-After of key ${longest.key}, ${inSeconds(longest.ms)} left`, ms: longest.ms }
  for (const key of keyNames) {
    const rate = paceOf(profile, key)
    const sent = state.keys.get(key)?.sent ?? []
    const oldest = sent[sent.length - allowedPerWindow(rate)]
    const ms = oldest === undefined ? 0 : oldest + windowMs - now
    if (ms > 0) return { what: `pace of key ${key} (${rate} requests a minute), ${inSeconds(ms)} left`, ms }
  }
  for (const { id, price } of scenarios) {
    const began = state.running.get(id)
    const ms = began === undefined ? 0 : began + (price.waits ?? 0) * 1_000 - now
    if (ms > 0) return { what: `a timer in ${id}, about ${inSeconds(ms)} left`, ms }
  }
  return { what: 'answers and events', ms: 0 }
}

const inSeconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`
