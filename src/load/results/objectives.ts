import { type Objectives, percentiles } from '#spec/profile'
import type { Numbers } from '../k6/lines.ts'
import type { ObjectiveResult, TimelineWindow } from '../load-report.ts'
import { histogramOf, operationsIn, quantile, total, waitsOf } from './readings.ts'
import { eventRate } from './throughput.ts'

/** What objectives are held against. */
export interface Measured {
  readonly numbers: Numbers
  /** For how long iterations began: that the last of them take their time makes nothing slower. */
  readonly scheduled_ms: number
  /** Iterations that were due and could not begin. */
  readonly dropped: number
  /** What came when; none where nobody knows. */
  readonly timeline: readonly TimelineWindow[]
}

/** What scenarios can be held to. */
export interface Scope {
  /** That they measure. */
  readonly operations: readonly string[]
  /** Whether they talk over control channels. */
  readonly hears_events: boolean
  /** Whether they begin by a schedule. */
  readonly by_schedule: boolean
  /** Whether they are there to be refused. */
  readonly provokes: boolean
}

/**
 * Those of the objectives that say something of these scenarios, since one profile serves many: who uploads files hears no
 * events, who crosses a limit is refused, and who runs once begins nothing by the second.
 */
export function fitting(objectives: Objectives, scope: Scope): Objectives {
  const { latency = {}, error_share, throughput = {} } = objectives
  const { events_per_second, iterations_per_second } = throughput
  return {
    latency: Object.fromEntries(Object.entries(latency).filter(([operation]) => scope.operations.includes(operation))),
    ...(error_share === undefined || scope.provokes ? {} : { error_share }),
    throughput: {
      ...(events_per_second === undefined || !scope.hears_events ? {} : { events_per_second }),
      ...(iterations_per_second === undefined || !scope.by_schedule ? {} : { iterations_per_second }),
    },
  }
}

const shares = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const

/** What became of each objective. */
export function checkObjectives(objectives: Objectives, measured: Measured): readonly ObjectiveResult[] {
  return [
    ...latencies(objectives, measured),
    ...atMost('error_share', objectives.error_share, errorShare(measured)),
    ...atLeast('events_per_second', objectives.throughput?.events_per_second, eventsPerSecond(measured)),
    ...atLeast('iterations_per_second', objectives.throughput?.iterations_per_second, iterationsPerSecond(measured)),
  ]
}

function latencies({ latency = {} }: Objectives, { numbers }: Measured) {
  const seen = operationsIn(numbers)
  return Object.entries(latency).flatMap(([operation, bounds]) =>
    percentiles.flatMap((share): ObjectiveResult[] => {
      const bound = bounds[`${share}_ms`]
      if (bound === undefined) return []
      const got = seen.includes(operation) ? quantile(waitsOf(numbers, operation), shares[share]) : null
      if (got === null && failed[operation]?.(numbers) === 0) return []
      return [{ name: `${share}_ms`, operation, bound, got, holds: got !== null && got <= bound }]
    }),
  )
}

const errorsIn =
  (phase: string) =>
  (numbers: Numbers): number =>
    total(numbers, 'errors', (key) => key.startsWith(`${phase} `))

/** How often an operation went wrong, of those that not every run comes to: where nobody tried, nothing was missed. */
const failed: { readonly [operation: string]: (numbers: Numbers) => number } = {
  create: errorsIn('create'),
  close: errorsIn('close'),
  request: errorsIn('request'),
  connect: (numbers) => total(numbers, 'upgrades'),
  upload: (numbers) => total(numbers, 'uploads', (key) => key !== 'accepted'),
  upload_large: (numbers) => total(numbers, 'uploads', (key) => key !== 'accepted'),
  back_off: () => 0,
  served_after: (numbers) => total(numbers, 'creates', (key) => key === 'given-up'),
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

function iterationsPerSecond({ numbers, scheduled_ms }: Measured): number | null {
  return scheduled_ms > 0 ? total(numbers, 'iterations', (key) => key === 'begun') / (scheduled_ms / 1_000) : null
}

function eventsPerSecond({ numbers, scheduled_ms, timeline }: Measured): number | null {
  return scheduled_ms > 0 ? eventRate(total(numbers, 'events'), timeline, scheduled_ms).reached : null
}

function atMost(name: string, bound: number | undefined, got: number | null): ObjectiveResult[] {
  return bound === undefined ? [] : [{ name, operation: null, bound, got, holds: got !== null && got <= bound }]
}

function atLeast(name: string, bound: number | undefined, got: number | null): ObjectiveResult[] {
  return bound === undefined ? [] : [{ name, operation: null, bound, got, holds: got !== null && got >= bound }]
}

/** Why an objective was missed, in a sentence. */
export function missed({ name, operation, bound, got }: ObjectiveResult, wants = 'the profile wants'): string {
  const what = operation === null ? name : `${operation} ${name.replace(/_ms$/, '')}`
  const unit = operation === null ? '' : ' ms'
  if (got === null) return `${what}: nothing was measured, and ${wants} ${bound}${unit}`
  const limit = name.endsWith('_per_second') ? 'at least' : 'at most'
  return `${what} is ${Number(got.toPrecision(3))}${unit}, and ${wants} ${limit} ${bound}${unit}`
}
