import { type Objectives, percentiles } from '#spec/profile'
import type { Numbers } from '../k6/lines.ts'
import type { ObjectiveResult } from '../load-report.ts'
import { histogramOf, operationsIn, quantile, total } from './readings.ts'

/** What objectives are held against. */
export interface Measured {
  readonly numbers: Numbers
  readonly duration_ms: number
  /** Iterations that were due and could not begin. */
  readonly dropped: number
}

const shares = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const

/**
 * What became of each objective. Latencies of operations that the run does not measure are left out: one profile serves
 * many scenarios.
 *
 * @param measurable operations that the run's scenarios measure
 */
export function checkObjectives(
  objectives: Objectives,
  measurable: readonly string[],
  measured: Measured,
): readonly ObjectiveResult[] {
  return [
    ...latencies(objectives, measurable, measured),
    ...atMost('error_share', objectives.error_share, errorShare(measured)),
    ...atLeast('events_per_second', objectives.throughput?.events_per_second, perSecond(measured, 'events')),
    ...atLeast(
      'iterations_per_second',
      objectives.throughput?.iterations_per_second,
      perSecond(measured, 'iterations', (key) => key === 'begun'),
    ),
  ]
}

function latencies({ latency = {} }: Objectives, measurable: readonly string[], { numbers }: Measured) {
  const seen = operationsIn(numbers)
  const wanted = Object.entries(latency).filter(([operation]) => measurable.includes(operation))
  return wanted.flatMap(([operation, bounds]) =>
    percentiles.flatMap((share): ObjectiveResult[] => {
      const bound = bounds[`${share}_ms`]
      if (bound === undefined) return []
      const got = seen.includes(operation) ? quantile(histogramOf(numbers, operation), shares[share]) : null
      return [{ name: `${share}_ms`, operation, bound, got, holds: got !== null && got <= bound }]
    }),
  )
}

/** Operations of the objectives that nothing at all measures. */
export function unknownOperation({ latency = {} }: Objectives, known: readonly string[]): string | undefined {
  return Object.keys(latency).find((operation) => !known.includes(operation))
}

/**
 * Of all that was asked. Times are measured of what succeeded, so what was asked is these, the upgrades that opened, and
 * all errors.
 */
export function errorShare({ numbers, dropped }: Measured): number | null {
  const answered = ['create', 'close', 'request'].reduce((sum, name) => sum + histogramOf(numbers, name).total, 0)
  const opened = total(numbers, 'upgrades', (key) => key === 'opened')
  const wrong = total(numbers, 'errors') + dropped
  const asked = answered + opened + wrong
  return asked === 0 ? null : wrong / asked
}

function perSecond({ numbers, duration_ms }: Measured, name: string, fits?: (key: string) => boolean): number | null {
  return duration_ms > 0 ? total(numbers, name, fits) / (duration_ms / 1_000) : null
}

function atMost(name: string, bound: number | undefined, got: number | null): ObjectiveResult[] {
  return bound === undefined ? [] : [{ name, operation: null, bound, got, holds: got !== null && got <= bound }]
}

function atLeast(name: string, bound: number | undefined, got: number | null): ObjectiveResult[] {
  return bound === undefined ? [] : [{ name, operation: null, bound, got, holds: got !== null && got >= bound }]
}

/** Why an objective was missed, in a sentence. */
export function missed({ name, operation, bound, got }: ObjectiveResult): string {
  const what = operation === null ? name : `${operation} ${name.replace(/_ms$/, '')}`
  const unit = operation === null ? '' : ' ms'
  if (got === null) return `${what}: nothing was measured, and the profile wants ${bound}${unit}`
  const limit = name.endsWith('_per_second') ? 'at least' : 'at most'
  return `${what} is ${Number(got.toPrecision(3))}${unit}, and the profile wants ${limit} ${bound}${unit}`
}
