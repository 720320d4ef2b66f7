import { seededRandom } from '../statistics.ts'

/** Nights that vary by 5 % around a level. */
export function noisy(seed: number, nights: number, level: number, variation = 0.05): number[] {
  const random = seededRandom(seed * 104_729 + 3)
  return Array.from({ length: nights }, () => level * (1 + variation * normal(random)))
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
