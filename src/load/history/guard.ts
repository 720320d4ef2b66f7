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
/** Fewest nights that say what is usual, for a jump. */
const fewestBefore = 10
/** For a small step: four weeks, since fewer nights tell their own spread too roughly. */
const fewestForSteps = 28

/**
 * Windows of the newest nights, and how many standard errors from the mean of all nights before are no chance. Of steps of
 * 10 % among nights that vary by 5 %, 95 of 100 are found with the third night at the latest: no bound finds many more, as
 * the mean of three such nights is less than `minimumEffect` away in the others. The price is a false alarm or two in 60
 * nights, once there are four weeks to compare with; less than one in the first 60. `trend.test.ts` measures both.
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
export function newestShift(level: readonly number[]): Shift | undefined {
  const found = [tonightsShift(level), ...windows.map((window) => windowShift(level, window))]
  const [clearest] = found.filter((one) => one !== undefined).toSorted((a, b) => b.errors - a.errors)
  if (clearest === undefined) return undefined
  const { nights, before, after } = clearest
  return { nights, before, after }
}

/** By median and median absolute deviation, which one wild night does not move. */
function tonightsShift(level: readonly number[]): Candidate | undefined {
  const tonight = level.at(-1)
  const earlier = level.slice(-1 - guardNights, -1)
  if (tonight === undefined || earlier.length < fewestBefore) return undefined
  const before = median(earlier)
  const errors = Math.abs(tonight - before) / deviation(earlier)
  return errors > guardDeviations && matters(before, tonight)
    ? { nights: 1, before, after: tonight, errors }
    : undefined
}

function windowShift(
  level: readonly number[],
  { nights, errors: bound }: (typeof windows)[number],
): Candidate | undefined {
  const earlier = withoutOutliers(level.slice(0, -nights))
  if (earlier.length < fewestForSteps) return undefined
  const before = mean(earlier)
  const after = mean(level.slice(-nights))
  const errors = Math.abs(after - before) / (spread(earlier) * Math.sqrt(1 / nights + 1 / earlier.length))
  const isFar = errors > likeStudent(bound, earlier.length - 1)
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

function matters(before: number, after: number): boolean {
  const effect = Math.abs(after - before)
  return effect > 0 && effect >= minimumEffect * Math.abs(before)
}
