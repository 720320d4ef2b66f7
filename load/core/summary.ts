import { ALPHA, BUCKETS, SHORT_ERROR_MS, SHORT_MS } from './histogram.ts'
import type { Key } from './keys.ts'
import { type Finding, type Verdict, type Judgement } from './findings.ts'
import type { Tally, TallyJson } from './tally.ts'

export const FORMAT = 'greenroom.load-part/1'

/** What has to be equal in all parts of a run. */
export interface RunFacts {
  readonly run: string
  /** Of all that is drawn at random; parts of an earlier version don't tell it. */
  readonly seed?: string
  /** `mix` for several. */
  readonly scenario: string
  readonly workload: string
  /** The numbers of the workload, after overrides. */
  readonly scale: object
  /** How many iterations the schedule of all parts together has, by scenario. */
  readonly iterations: { readonly [scenario: string]: number }
  /** Keys that the load was spread over, without their values. */
  readonly keys: readonly Key[]
  /** Of the histograms: others can't be added. */
  readonly buckets: typeof buckets
}

/** What one k6 process measured, or several after `merge`. Everything adds up, but the duration. */
export interface LoadPart extends RunFacts {
  readonly format: typeof FORMAT
  /** Which segments of the load it holds, as k6 writes them; `0:1` for all of it. */
  readonly segments: readonly string[]
  /** How many k6 processes it is made of. */
  readonly parts: number
  /** When the first of them began, in milliseconds since 1970, where that is known. */
  readonly started_ms?: number
  /** Of the longest part. */
  readonly duration_ms: number
  /** Iterations that found no free user, by scenario. */
  readonly dropped: { readonly [scenario: string]: number }
  /** Every number of the run, by scenario. */
  readonly tallies: { readonly [scenario: string]: TallyJson }
}

export const buckets = { alpha: ALPHA, short_error_ms: SHORT_ERROR_MS, short_ms: SHORT_MS, count: BUCKETS }

const shared = ['format', 'run', 'seed', 'scenario', 'workload', 'scale', 'iterations', 'keys', 'buckets'] as const

/**
 * Merges what the processes of one run wrote, exactly: percentiles come from the summed histograms.
 * @throws Error when they are not parts of one run
 */
export function merge(parts: readonly LoadPart[]): LoadPart {
  const [first] = parts
  if (first === undefined) throw new Error('there is no part to merge')
  for (const part of parts) {
    const differs = shared.find((fact) => JSON.stringify(first[fact]) !== JSON.stringify(part[fact]))
    if (differs !== undefined) throw new Error(`the parts differ in ${differs}: they are not of one run`)
  }
  const started = parts.flatMap(({ started_ms }) => started_ms ?? [])
  return {
    ...first,
    ...(started.length === 0 ? {} : { started_ms: Math.min(...started) }),
    segments: parts.flatMap(({ segments }) => segments),
    parts: parts.reduce((sum, part) => sum + part.parts, 0),
    duration_ms: Math.max(...parts.map(({ duration_ms }) => duration_ms)),
    dropped: added(parts.map(({ dropped }) => dropped)),
    tallies: addedTallies(parts.map(({ tallies }) => tallies)),
  }
}

function addedTallies(all: readonly LoadPart['tallies'][]): LoadPart['tallies'] {
  const scenarios = new Set(all.flatMap((tallies) => Object.keys(tallies)))
  return Object.fromEntries(
    [...scenarios].map((scenario) => {
      const own = all.map((tallies) => tallies[scenario] ?? {})
      const names = new Set(own.flatMap((tally) => Object.keys(tally)))
      return [
        scenario,
        Object.fromEntries([...names].map((name) => [name, added(own.map((tally) => tally[name] ?? {}))])),
      ]
    }),
  )
}

type Numbers = { readonly [key: string]: number }

function added(all: readonly Numbers[]): Numbers {
  const sum: { [key: string]: number } = {}
  for (const numbers of all) for (const [key, by] of Object.entries(numbers)) sum[key] = (sum[key] ?? 0) + by
  return sum
}

export interface Figures {
  readonly events: number
  readonly events_per_second: number
  /** Milliseconds by measure, for those that were measured. */
  readonly times: { readonly [time: string]: Percentiles }
}

export type Percentiles = { readonly [share in 'p50' | 'p90' | 'p99']: number }

export function figuresOf(tally: Tally<'events'>, duration: number): Figures {
  const events = tally.total('events')
  const times = tally.measures.times.flatMap((name): [string, Percentiles][] => {
    const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => tally.time(name).quantile(share))
    if (p50 === undefined || p90 === undefined || p99 === undefined) return []
    return [[name, { p50: rounded(p50), p90: rounded(p90), p99: rounded(p99) }]]
  })
  return {
    events,
    events_per_second: duration > 0 ? Math.round(events / (duration / 1_000)) : 0,
    times: Object.fromEntries(times),
  }
}

const rounded = (ms: number): number => Number(ms.toPrecision(4))

/** For people: a few lines. */
export function printed(title: string, { verdict, findings }: Judgement, figures: Figures): string {
  const times = Object.entries(figures.times).map(
    ([name, { p50, p90, p99 }]) => `  ${name.padEnd(24)} p50 ${p50}  p90 ${p90}  p99 ${p99}`,
  )
  return [
    `${title}: ${verdict satisfies Verdict}`,
    ...findings.map(({ text }: Finding) => `  ${text}`),
    `  ${figures.events} events, ${figures.events_per_second} a second`,
    ...times,
    '',
  ].join('\n')
}
