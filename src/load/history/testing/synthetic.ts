import { seededRandom } from '../statistics.ts'
import { watch } from '../trend.ts'

/** A series with a step of 10 % after so many nights: which of its nights, seen as the last one, are told to be worse. */
export function watchedNights(seed: number, stepAt: number, after: number): readonly boolean[] {
  const values = [...noisy(seed, stepAt, 100), ...noisy(seed + 5_000, after, 110)]
  return values.map((_, night) => {
    const { shift } = watch(values.slice(0, night + 1))
    return shift !== undefined && shift.after > shift.before
  })
}

/** Nights that vary by 5 % around a level. */
export function noisy(seed: number, nights: number, level: number): number[] {
  const random = seededRandom(seed * 104_729 + 3)
  return Array.from({ length: nights }, () => level * (1 + 0.05 * normal(random)))
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
