import { type ChangePoint, changePoints } from './change-points.ts'
import { fewestBefore, minimumEffect, newestShift, type Shift, type Watching } from './guard.ts'
import { grainOf, isBetter, type Night } from './night.ts'

/** One metric over the nights, and what changed. */
export interface Trend {
  readonly metric: string
  readonly points: readonly TrendPoint[]
  /** Lasting changes, in the order of the nights. */
  readonly changes: readonly ChangePoint[]
  /** The newest nights differ from those before. */
  readonly shift: Shift | undefined
  readonly direction: 'better' | 'worse' | 'same'
}

export interface TrendPoint {
  readonly night: string
  readonly run: string
  readonly value: number
}

/** Nights before this many are history, not comparison. */
const mostNights = 90

/** The nights that may be compared with the last one, it included: measured alike, and by a healthy generator. */
export function comparable(nights: readonly Night[]): readonly Night[] {
  const tonight = nights.at(-1)
  if (tonight === undefined) return []
  const { scenario, workload, fingerprint } = tonight
  return nights
    .filter((night) => night.scenario === scenario && night.workload === workload && night.fingerprint === fingerprint)
    .filter(({ verdict }) => verdict !== 'invalid')
    .slice(-mostNights)
}

/** How many nights are still missing before tonight that would say what is usual; 0 where it is compared. */
export function nightsMissing(nights: readonly Night[]): number {
  return Math.max(0, fewestBefore + 1 - comparable(nights).length)
}

/** Trends of all metrics of the last night; none where it says nothing of the target. */
export function trendsOf(nights: readonly Night[]): readonly Trend[] {
  const alike = comparable(nights)
  const tonight = nights.at(-1)
  if (tonight === undefined || tonight.verdict === 'invalid') return []
  const metrics = Object.keys(tonight.metrics)
  return metrics.map((metric) => trendOf(alike, metric, { metrics: metrics.length, grain: grainOf(metric, tonight) }))
}

function trendOf(nights: readonly Night[], metric: string, watching: Watching): Trend {
  const points = nights.flatMap(({ night, run, metrics }) => {
    const value = metrics[metric]
    return value === undefined ? [] : [{ night, run, value }]
  })
  const found = watch(
    points.map(({ value }) => value),
    watching,
  )
  return { metric, points, ...found, direction: directionOf(metric, found.shift) }
}

interface Watched {
  readonly changes: readonly ChangePoint[]
  readonly shift: Shift | undefined
}

const seed = 17
/** Fewest nights of a level that a lasting change may lead to. */
const shortest = 7
/** How long a lasting change is news. */
const freshNights = 10

/** One metric, whose numbers are as fine as can be. */
const alone: Watching = { metrics: 1, grain: 0 }

/** Lasting changes of a series, and whether its newest values are away from the level before. */
export function watch(series: readonly number[], watching: Watching = alone): Watched {
  // A change that lies as late as it may lie has its true place later: it is believed the night after.
  const changes = changePoints(series, { seed, shortest }).filter(
    ({ at, before, after }) => series.length - at > shortest && isLarge(before, after),
  )
  const settled = changes.filter(({ at }) => series.length - at > freshNights)
  const level = series.slice(settled.at(-1)?.at ?? 0)
  const fresh = changes.length > settled.length ? changes.at(-1) : undefined
  if (fresh === undefined) return { changes, shift: newestShift(level, watching) }
  return { changes, shift: { nights: series.length - fresh.at, before: fresh.before, after: fresh.after } }
}

function isLarge(before: number, after: number): boolean {
  return Math.abs(after - before) >= minimumEffect * Math.abs(before)
}

function directionOf(metric: string, shift: Shift | undefined): Trend['direction'] {
  if (shift === undefined) return 'same'
  return isBetter(metric, shift.before, shift.after) ? 'better' : 'worse'
}
