import { Histogram } from '../../../load/core/histogram.ts'
import type { LoadReport } from '../load-report.ts'
import type { Numbers } from '../k6/lines.ts'

/** Times of the generator itself: they say nothing of the target. */
const ownTimes: readonly string[] = ['handler_lag', 'start_lag', 'timer_lag']

/** Adds the numbers of `more` to `sums`, in place. */
export function addNumbers(sums: { [name: string]: { [key: string]: number } }, more: Numbers): void {
  for (const [name, keys] of Object.entries(more)) {
    const into = (sums[name] ??= {})
    for (const [key, by] of Object.entries(keys)) into[key] = (into[key] ?? 0) + by
  }
}

/** Sum over the keys of a count, or over those that fit. */
export function total(numbers: Numbers, name: string, fits: (key: string) => boolean = () => true): number {
  const keys = Object.entries(numbers[name] ?? {})
  return keys.reduce((sum, [key, by]) => (fits(key) ? sum + by : sum), 0)
}

/** Names of times end with `_ms`; the keys of all others are counted. */
const timeName = /^(.+?)(_intended|_unanswered)?_ms$/

/** The histogram of an operation: `create` for the time `create_ms`. */
export function histogramOf(numbers: Numbers, operation: string, intended = false): Histogram {
  return joined(numbers, [`${operation}${intended ? '_intended' : ''}_ms`])
}

/** How long was waited for an operation, also where its answer never came. */
export function waitsOf(numbers: Numbers, operation: string): Histogram {
  return joined(numbers, [`${operation}_ms`, `${operation}_unanswered_ms`])
}

function joined(numbers: Numbers, times: readonly string[]): Histogram {
  const histogram = new Histogram()
  for (const time of times)
    for (const [bucket, by] of Object.entries(numbers[time] ?? {})) histogram.addTo(Number(bucket), by)
  return histogram
}

/** Operations of the target that something was measured of, in the order in which they were first seen. */
export function operationsIn(numbers: Numbers): readonly string[] {
  // An operation that never succeeded has times of when it was due, and took none itself.
  const taken = Object.keys(numbers).filter((name) => !/_(?:intended|unanswered)_ms$/.test(name))
  return operationsOf(taken)
}

/** Operations that have one of these times. */
export function operationsOf(times: readonly string[]): readonly string[] {
  const names = times.flatMap((name) => timeName.exec(name)?.[1] ?? [])
  return [...new Set(names)].filter((operation) => !ownTimes.includes(operation))
}

/** The numbers that are counts, by name and key. */
export function countsIn(numbers: Numbers): Numbers {
  return Object.fromEntries(Object.entries(numbers).filter(([name]) => !timeName.test(name)))
}

/** Milliseconds at a share, to four digits: no bucket is more precise. */
export function quantile(histogram: Histogram, share: number): number {
  return Number((histogram.quantile(share) ?? 0).toPrecision(4))
}

/** For how long iterations began. */
export function scheduledMs({ tally, rate, duration_ms }: Pick<LoadReport, 'tally' | 'rate' | 'duration_ms'>): number {
  const begun = total(tally, 'iterations', (key) => key === 'begun')
  return begun > 0 && rate.achieved_per_s > 0
    ? Math.min(duration_ms, (1_000 * begun) / rate.achieved_per_s)
    : duration_ms
}
