/** A part of a workload: the rate climbs or falls evenly until it has this value at the stage's end. */
export interface Stage {
  readonly seconds: number
  /** Iterations a second at the end of the stage. */
  readonly rate: number
}

/** How iterations arrive over time. */
export interface Arrivals {
  /** Iterations a second at the start. */
  readonly start_rate: number
  readonly stages: readonly Stage[]
}

/** How many iterations a schedule begins. */
export function countOf(arrivals: Arrivals): number {
  // To the nearest: k6's own sum is off by rounding, and `k6Stages` sees to it that so many begin.
  return Math.floor(areaUntil(arrivals, secondsOf(arrivals)) + 0.5)
}

export const secondsOf = ({ stages }: Arrivals): number => stages.reduce((sum, { seconds }) => sum + seconds, 0)

/** The highest rate that it comes to. */
export const peakOf = ({ start_rate, stages }: Arrivals): number =>
  Math.max(start_rate, ...stages.map(({ rate }) => rate))

/** The most iterations that begin within a minute, whichever. */
export function mostInAMinute(arrivals: Arrivals): number {
  const seconds = Math.ceil(secondsOf(arrivals))
  let most = 0
  for (let from = Math.min(0, seconds - 60); from <= seconds; from += 1)
    most = Math.max(most, areaUntil(arrivals, from + 60) - areaUntil(arrivals, from))
  return most
}

/** How many iterations were due after so many seconds. */
export function areaUntil({ start_rate, stages }: Arrivals, until: number): number {
  let from = start_rate
  let [area, left] = [0, Math.max(0, until)]
  for (const { seconds, rate } of stages) {
    const part = Math.min(left, seconds)
    const reached = seconds === 0 ? rate : from + ((rate - from) * part) / seconds
    area += (part * (from + reached)) / 2
    left -= part
    from = rate
  }
  return area
}

export function scaled({ start_rate, stages }: Arrivals, factor: number): Arrivals {
  return {
    start_rate: start_rate * factor,
    stages: stages.map(({ seconds, rate }) => ({ seconds, rate: rate * factor })),
  }
}

/** k6 takes whole numbers of iterations an hour, so rates are rounded to these. */
const PER_HOUR = 3_600

export function rounded(arrivals: Arrivals): Arrivals {
  const round = (rate: number): number => Math.max(1, Math.round(rate * PER_HOUR)) / PER_HOUR
  return {
    start_rate: round(arrivals.start_rate),
    stages: arrivals.stages.map(({ seconds, rate }) => ({ seconds, rate: round(rate) })),
  }
}

/** For so long after the last iteration is due k6 still begins it, on a machine that stood still just then. */
const LATE_S = 2

/**
 * As k6 wants them. The last stage is longer, until it is as far from its last iteration as from the one after: one that is due
 * at the very end would begin or not by chance. After it nothing is due any more; k6 does not wait for the end of that.
 */
export function k6Stages(arrivals: Arrivals): {
  startRate: number
  timeUnit: string
  stages: { duration: string; target: number }[]
} {
  const { start_rate, stages } = arrivals
  const last = stages.at(-1)?.rate ?? start_rate
  const tail = [
    { seconds: (countOf(arrivals) + 0.5 - areaUntil(arrivals, secondsOf(arrivals))) / last, rate: last },
    { seconds: 0, rate: 0 },
    { seconds: LATE_S, rate: 0 },
  ]
  return {
    startRate: Math.round(start_rate * PER_HOUR),
    timeUnit: '1h',
    stages: [...stages, ...tail].map(({ seconds, rate }) => ({
      duration: `${Math.round(seconds * 1_000)}ms`,
      target: Math.round(rate * PER_HOUR),
    })),
  }
}

/**
 * When the iteration with this number is due, in milliseconds from the start of its schedule: k6 begins number `n` when
 * the area under the rate has reached `n + 1`, and tells nobody when that was.
 */
export function dueAt({ start_rate, stages }: Arrivals, iteration: number): number {
  const wanted = iteration + 1
  let from = start_rate
  let [area, start] = [0, 0]
  for (const { seconds, rate } of stages) {
    const whole = (seconds * (from + rate)) / 2
    if (area + whole >= wanted) return (start + timeTo(wanted - area, from, rate, seconds)) * 1_000
    area += whole
    start += seconds
    from = rate
  }
  return (start + (wanted - area) / from) * 1_000
}

/** Seconds until a rate that goes evenly from one value to another has brought so many iterations. */
function timeTo(iterations: number, from: number, to: number, seconds: number): number {
  if (from === to) return iterations / from
  const slope = (to - from) / seconds
  return (2 * iterations) / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * iterations)))
}

/**
 * When an iteration was to begin that began at `now` (milliseconds from the start of its schedule). k6 numbers only what it
 * begins: after drops, number `n` began at a later slot than its own, the last one before `now`.
 */
export function intendedAt(arrivals: Arrivals, iteration: number, now: number): number {
  const slot = Math.floor(areaUntil(arrivals, now / 1_000)) - 1
  return dueAt(arrivals, Math.max(iteration, slot))
}
