export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Standard deviation, estimated from a sample. */
export function spread(values: readonly number[]): number {
  const center = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1))
}

/** NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The largest of so many deviations are left out of their mean: one or two wild nights of 14. */
const WILD = 1 / 7

/**
 * Median absolute deviation, scaled so that it estimates the standard deviation of normal numbers; no less than the mean one
 * tells: where most nights fall into one bucket of the histogram, their median deviation is none, though others differ.
 */
export function deviation(values: readonly number[]): number {
  const center = median(values)
  const away = values.map((value) => Math.abs(value - center)).toSorted((a, b) => a - b)
  const usual = away.slice(0, Math.ceil((1 - WILD) * away.length))
  return Math.max(1.4826 * median(away), 1.2533 * mean(usual))
}

/** A number from 0 below 1. */
export type Random = () => number

/** mulberry32: the same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}
