import { deviation, mean, median, spread } from './statistics.ts'

/** The newest nights are at another level than those before. */
export interface Shift {
  /** How many nights are at the new level, tonight included. */
  readonly nights: number
  /** Level before. */
  readonly before: number
  /** Level of these nights. */
  readonly after: number
}

/** Nights that tonight alone is compared with. */
const guardNights = 14
/** How many deviations from their median are more than chance: 14 nights estimate the deviation roughly. */
const guardDeviations = 5
/** A difference below this share of the level matters to nobody, however sure it is. */
export const minimumEffect = 0.05
/** Fewest nights that say what is usual, for a jump. */
export const fewestBefore = 10
/** For a small step: four weeks, since fewer nights tell their own spread too roughly. */
const fewestForSteps = 28

/** What a series is besides its numbers. */
export interface Watching {
  /** How many metrics are watched: each may be away by chance, and all of them shall be so no more often than one. */
  readonly metrics: number
  /** The smallest difference that can be seen: nights that never differed differ by so much, or by 1 % of their level. */
  readonly grain: number
}

/** Percentiles are up to so much off. */
const COARSE = 0.01

/**
 * Windows of the newest nights, and how many standard errors from the mean of all nights before are no chance. Of steps of
 * 10 % among nights that vary by 5 %, 95 of 100 are found with the third night at the latest: no bound finds many more, as
 * the mean of three such nights is less than `minimumEffect` away in the others. The price is a false alarm or two in 60
 * nights, once there are four weeks to compare with; less than one in the first 60. `trend.test.ts` measures both. With more
 * metrics the bounds are higher, and a small step of a single one among many is found some nights later.
 */
const windows = [
  { nights: 2, errors: 2.2 },
  { nights: 3, errors: 1.7 },
] as const

interface Candidate extends Shift {
  /** Distance from the level before, in its standard errors. */
  readonly errors: number
}

/**
 * Whether the newest nights are away from those before, by at least 5 % and further than chance takes them: tonight alone
 * against the last 14 nights, and the last two and three nights against all. A large jump is found in its own night, a
 * small step, which no single night shows, up to two nights later. The clearest of them is told.
 */
export function newestShift(level: readonly number[], watching: Watching): Shift | undefined {
  const found = [tonightsShift(level, watching), ...windows.map((window) => windowShift(level, window, watching))]
  const [clearest] = found.filter((one) => one !== undefined).toSorted((a, b) => b.errors - a.errors)
  if (clearest === undefined) return undefined
  const { nights, before, after } = clearest
  return { nights, before, after }
}

/** By median and median absolute deviation, which one wild night does not move. */
function tonightsShift(level: readonly number[], { metrics, grain }: Watching): Candidate | undefined {
  const tonight = level.at(-1)
  const earlier = level.slice(-1 - guardNights, -1)
  if (tonight === undefined || earlier.length < fewestBefore) return undefined
  const before = median(earlier)
  const errors = Math.abs(tonight - before) / atLeast(deviation(earlier), before, grain)
  return errors > ofMany(guardDeviations, metrics) && matters(before, tonight)
    ? { nights: 1, before, after: tonight, errors }
    : undefined
}

function windowShift(
  level: readonly number[],
  { nights, errors: bound }: (typeof windows)[number],
  { metrics, grain }: Watching,
): Candidate | undefined {
  const earlier = withoutOutliers(level.slice(0, -nights))
  if (earlier.length < fewestForSteps) return undefined
  const before = mean(earlier)
  const after = mean(level.slice(-nights))
  const usual = atLeast(spread(earlier), before, grain)
  const errors = Math.abs(after - before) / (usual * Math.sqrt(1 / nights + 1 / earlier.length))
  const isFar = errors > likeStudent(ofMany(bound, metrics), earlier.length - 1)
  return isFar && matters(before, after) ? { nights, before, after, errors } : undefined
}

/** A night that went wild once says nothing of how nights usually differ. */
function withoutOutliers(values: readonly number[]): readonly number[] {
  const usual = median(values)
  const far = guardDeviations * deviation(values)
  return far === 0 ? values : values.filter((value) => Math.abs(value - usual) <= far)
}

/** A bound for normal numbers, widened for a spread that was estimated from few (the first term of Student's). */
function likeStudent(bound: number, freedom: number): number {
  return bound * (1 + (bound ** 2 + 1) / (4 * freedom))
}

/** A bound that so many normal numbers pass about as often as a single one passes this one: their tails fall like exp(-x²/2). */
const ofMany = (bound: number, metrics: number): number => Math.sqrt(bound ** 2 + 2 * Math.log(metrics))

const atLeast = (usual: number, level: number, grain: number): number =>
  Math.max(usual, grain, COARSE * Math.abs(level))

function matters(before: number, after: number): boolean {
  const effect = Math.abs(after - before)
  return effect > 0 && effect >= minimumEffect * Math.abs(before)
}
