/** What a limiter remembers of one key. */
export interface LimiterState {
  /** Tokens left of a bucket, or requests counted in a window. */
  level: number
  /** When the window began, or the bucket was last filled; undefined before the first request. */
  since: number | undefined
  /** Requests that count, oldest first. */
  times: number[]
}

/** Milliseconds until the next request is admitted; 0 when this one is. */
export type Limiter = (state: LimiterState, perMinute: number, now: number, minuteMs: number) => number

export const freshLimiter = (): LimiterState => ({ level: 0, since: undefined, times: [] })

/** Counts from the first request on, and starts again after a minute. */
export const fixedWindow: Limiter = (state, perMinute, now, minuteMs) => {
  if (state.since === undefined || now - state.since >= minuteMs) {
    state.since = now
    state.level = 0
  }
  if (state.level >= perMinute) return state.since + minuteMs - now
  state.level += 1
  return 0
}

/** Counts by the minutes of the clock, whenever the first request came. */
export const clockMinute: Limiter = (state, perMinute, now, minuteMs) => {
  const begin = Math.floor(now / minuteMs) * minuteMs
  if (state.since !== begin) {
    state.since = begin
    state.level = 0
  }
  if (state.level >= perMinute) return begin + minuteMs - now
  state.level += 1
  return 0
}

/** Counts what was admitted within the last minute. */
export const slidingWindow: Limiter = (state, perMinute, now, minuteMs) => {
  state.times = state.times.filter((time) => now - time < minuteMs)
  const oldest = state.times[state.times.length - perMinute]
  if (oldest !== undefined) return oldest + minuteMs - now
  state.times.push(now)
  return 0
}

/** Counts every request of the last minute, refused ones too: whoever goes on asking goes on waiting. */
export const strictSlidingWindow: Limiter = (state, perMinute, now, minuteMs) => {
  state.times = state.times.filter((time) => now - time < minuteMs)
  state.times.push(now)
  const oldest = state.times[state.times.length - 1 - perMinute]
  // After it, this refused request and those behind it are all that still count.
  return oldest === undefined ? 0 : (state.times[state.times.length - perMinute] ?? now) + minuteMs - now
}

/** A bucket of one minute's requests that fills evenly, so many times as fast as the limit. */
export const filledFaster = (times: number): Limiter => {
  return (state, perMinute, now, minuteMs) => {
    const perMs = (times * perMinute) / minuteMs
    const before = state.since === undefined ? perMinute : state.level + (now - state.since) * perMs
    state.level = Math.min(perMinute, before)
    state.since = now
    if (state.level < 1) return (1 - state.level) / perMs
    state.level -= 1
    return 0
  }
}

/** A bucket of one minute's requests that fills evenly. */
export const tokenBucket: Limiter = filledFaster(1)

/** Two nodes that take turns, each of which counts for itself. */
export function onTwoNodes(limiter: Limiter): Limiter {
  const others = new WeakMap<LimiterState, LimiterState>()
  let turn = 0
  return (state, perMinute, now, minuteMs) => {
    const other = others.get(state) ?? freshLimiter()
    others.set(state, other)
    turn += 1
    return limiter(turn % 2 === 0 ? other : state, perMinute, now, minuteMs)
  }
}

/** A bucket and a sliding window, both of which have to have room: neither bursts nor pauses bring anybody more. */
export function bothOf(one: Limiter, other: Limiter): Limiter {
  const others = new WeakMap<LimiterState, LimiterState>()
  return (state, perMinute, now, minuteMs) => {
    const beside = others.get(state) ?? freshLimiter()
    others.set(state, beside)
    const [tried, triedBeside] = [structuredClone(state), structuredClone(beside)]
    const wait = Math.max(one(tried, perMinute, now, minuteMs), other(triedBeside, perMinute, now, minuteMs))
    if (wait > 0) return wait
    Object.assign(state, tried)
    Object.assign(beside, triedBeside)
    return 0
  }
}

/** A bucket that is filled up by a sixth of a minute's requests every sixth of a minute. */
export const steppedBucket: Limiter = (state, perMinute, now, minuteMs) => {
  const [step, portion] = [minuteMs / 6, perMinute / 6]
  if (state.since === undefined) Object.assign(state, { since: now, level: perMinute })
  const since = state.since ?? now
  const steps = Math.floor((now - since) / step)
  state.level = Math.min(perMinute, state.level + steps * portion)
  state.since = since + steps * step
  if (state.level < 1) return state.since + step * Math.ceil((1 - state.level) / portion) - now
  state.level -= 1
  return 0
}

/** How often it is looked when a request would fit again, in milliseconds. */
const LOOK_MS = 50

/** Two windows of the clock: what the older one counted weighs as much as still lies within the last minute. */
export const weightedWindows: Limiter = (state, perMinute, now, minuteMs) => {
  state.times = state.times.filter((time) => now - time < 2 * minuteMs)
  const room = (at: number): boolean => {
    const begin = Math.floor(at / minuteMs) * minuteMs
    const older = state.times.filter((time) => time >= begin - minuteMs && time < begin).length
    const newer = state.times.filter((time) => time >= begin).length
    return older * (1 - (at - begin) / minuteMs) + newer + 1 <= perMinute
  }
  if (room(now)) {
    state.times.push(now)
    return 0
  }
  let at = now
  while (!room(at)) at += LOOK_MS
  return at - now
}
