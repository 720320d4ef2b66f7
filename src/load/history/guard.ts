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
/** So many deviations above or below their median are no chance: 14 nights estimate the deviation roughly. */
const guardDeviations = 5
/** A difference below this share of the level matters to nobody, however sure it is. */
export const minimumEffect = 0.05
/** Fewest nights that say what is usual. */
const fewestBefore = 10

/**
 * Tonight against the last 14 nights: further from their median than chance takes a night, and by at least 5 %. Finds
 * large jumps in the night of the jump.
 */
export function tonightsShift(series: readonly number[]): Shift | undefined {
  const tonight = series.at(-1)
  const before = series.slice(-1 - guardNights, -1)
  if (tonight === undefined || before.length < fewestBefore) return undefined
  const usual = median(before)
  const distance = Math.abs(tonight - usual)
  const isFar = distance > guardDeviations * deviation(before) && matters(usual, tonight)
  return isFar ? { nights: 1, before: usual, after: tonight } : undefined
}

/**
 * So many standard errors from the mean of all nights before: the last three nights, and the last four. Chosen so that a
 * step of 10 % among nights that vary by 5 % is found within three nights, at less than one false alarm in 60 nights;
 * both are measured in `trend.test.ts`.
 */
const windows = [
  { nights: 3, errors: 2.1 },
  { nights: 4, errors: 2 },
] as const

/**
 * The last three and four nights against all before them: small steps, which no single night shows, are found three
 * nights later.
 */
export function recentShift(series: readonly number[]): Shift | undefined {
  for (const { nights, errors } of windows) {
    const earlier = withoutOutliers(series.slice(0, -nights))
    if (earlier.length < fewestBefore) continue
    const before = mean(earlier)
    const after = mean(series.slice(-nights))
    const error = spread(earlier) * Math.sqrt(1 / nights + 1 / earlier.length)
    const isFar = Math.abs(after - before) > likeStudent(errors, earlier.length - 1) * error
    if (isFar && matters(before, after)) return { nights, before, after }
  }
  return undefined
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

function matters(before: number, after: number): boolean {
  const effect = Math.abs(after - before)
  return effect > 0 && effect >= minimumEffect * Math.abs(before)
}
