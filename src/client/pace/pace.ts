import type { Profile } from '#spec/profile'
import { type Clock, orAborted } from './clock.ts'

/** A target counts requests in any window of a minute; a second more allows for what a request spends on its way. */
const window = 61_000
const defaultPerMinute = 60

/** Keeps the requests of each key within its rate. */
export interface Pace {
  /** Waits until the key may send, first come first served, and counts the request. Resolves to the milliseconds waited. */
  turn(key: string, signal: AbortSignal | undefined): Promise<number>
  /** Counts a request that did not wait for its turn. */
  count(key: string): void
  /** Nothing more goes out on the key until then; for Retry-After. Returns by how many milliseconds that is longer than before. */
  hold(key: string, until: number): number
  /** A 10008 came for the key. */
  limited(key: string): void
  /** What happened on the key in the last `ms`, which are at most three minutes. */
  usage(key: string, ms: number): Usage
}

/** How much a key was used, by whichever scenario. */
export interface Usage {
  /** Requests that went out. */
  readonly sent: number
  /** Milliseconds since the last request that ever went out; Infinity before the first. */
  readonly silent_ms: number
  /** Answers with 10008. */
  readonly limited: number
  /** Requests that went out after the last of them. */
  readonly clear: number
  /** It was admitted for a while, and refused then though fewer requests went out than its rate allows. */
  readonly strayed: boolean
}

/** When each key sent its requests so far, in milliseconds of the run. */
export type SentTimes = { readonly [key: string]: readonly number[] }

interface Lane {
  readonly allowed: number
  /** Times of the last `allowed` requests, oldest first. */
  readonly sent: number[]
  /** Times of all requests of the last minutes, oldest first. */
  readonly log: number[]
  /** Times of all 10008 of the last minutes. */
  readonly limits: number[]
  strayed: boolean
  heldUntil: number
  /** Settled when the last in the queue has had its turn. */
  tail: Promise<void>
}

const remembered = 180_000
/** What was sent so long ago has its answer. */
const answered = 500

/** Requests that a key may send in one window: its rate less a small margin, as others may use the key too. */
export function allowedPerWindow(perMinute: number): number {
  return Math.max(1, perMinute - Math.max(1, Math.ceil(perMinute * 0.03)))
}

export function createPace(limits: Profile['limits'], clock: Clock, earlier: SentTimes = {}): Pace {
  const lanes = new Map<string, Lane>()

  function lane(key: string): Lane {
    const found = lanes.get(key) ?? open(key)
    lanes.set(key, found)
    return found
  }

  function open(key: string): Lane {
    const perMinute = limitOf(limits, key)
    const allowed = allowedPerWindow(perMinute)
    const log = [...(earlier[key] ?? [])]
    return {
      allowed,
      sent: log.slice(-allowed),
      log,
      limits: [],
      strayed: false,
      heldUntil: 0,
      tail: Promise.resolve(),
    }
  }

  async function waitInLane(one: Lane, signal: AbortSignal | undefined): Promise<void> {
    for (let wait = due(one) - clock.now(); wait > 0; wait = due(one) - clock.now()) {
      await clock.sleep(wait, signal, 'pace')
    }
    note(one, clock.now())
  }

  async function turn(key: string, signal: AbortSignal | undefined): Promise<number> {
    const began = clock.now()
    const one = lane(key)
    const before = one.tail
    const mine = Promise.withResolvers<void>()
    one.tail = mine.promise
    try {
      await orAborted(before, signal)
      await waitInLane(one, signal)
    } finally {
      void before.then(mine.resolve)
    }
    return clock.now() - began
  }

  return {
    turn,
    count: (key) => note(lane(key), clock.now()),
    hold: (key, until) => holdLane(lane(key), until, clock.now()),
    limited: (key) => limitLane(lane(key), clock.now()),
    usage: (key, ms) => usageOf(lane(key), ms, clock.now()),
  }
}

function note(lane: Lane, now: number): void {
  lane.sent.push(now)
  if (lane.sent.length > lane.allowed) lane.sent.shift()
  remember(lane.log, now)
}

/** @returns by how many milliseconds this holds the lane longer than before */
function holdLane(lane: Lane, until: number, now: number): number {
  const before = Math.max(lane.heldUntil, now)
  lane.heldUntil = Math.max(before, until)
  return lane.heldUntil - before
}

function limitLane(lane: Lane, now: number): void {
  lane.strayed ||= (lane.log[0] ?? now) < now - answered && countSince(lane.log, now - window) <= lane.allowed
  remember(lane.limits, now)
}

function usageOf({ log, limits, strayed }: Lane, ms: number, now: number): Usage {
  const since = now - ms
  const silent_ms = now - (log.at(-1) ?? Number.NEGATIVE_INFINITY)
  const clear = countSince(log, Math.max(since, (limits.at(-1) ?? -1) + 1))
  return { sent: countSince(log, since), silent_ms, limited: countSince(limits, since), clear, strayed }
}

function remember(times: number[], now: number): void {
  times.push(now)
  while ((times[0] ?? now) < now - remembered) times.shift()
}

function countSince(times: readonly number[], since: number): number {
  return times.filter((time) => time >= since).length
}

/** The earliest moment at which the lane may send. */
function due(lane: Lane): number {
  const oldest = lane.sent.length < lane.allowed ? undefined : lane.sent[0]
  return Math.max(lane.heldUntil, oldest === undefined ? 0 : oldest + window)
}

function limitOf(limits: Profile['limits'], key: string): number {
  const named = Object.entries(limits ?? {}).find(([name]) => name === key)
  return named?.[1]?.requests_per_minute ?? defaultPerMinute
}
