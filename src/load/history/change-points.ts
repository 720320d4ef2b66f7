import { mean, type Random, seededRandom } from './statistics.ts'

/** Where a series of nights went to another level and stayed there. */
export interface ChangePoint {
  /** First night of the new level. */
  readonly at: number
  /** Mean of the nights since the change before. */
  readonly before: number
  /** Mean of the nights until the next change. */
  readonly after: number
  /** How probable so clear a change is in nights that differ by chance alone. */
  readonly p: number
}

export interface ChangeOptions {
  readonly seed: number
  /** A change is believed where chance makes so clear a one at most this often. */
  readonly significance?: number
  /** Fewest nights of a level. */
  readonly shortest?: number
  readonly permutations?: number
}

/**
 * E-divisive (Matteson and James, 2014): splits the series where the two sides differ most by their energy distance, and
 * goes on within the sides as long as a permutation test finds that chance alone does not make so clear a split. Changes
 * come in the order of the nights. The same series and seed give the same changes.
 */
export function changePoints(series: readonly number[], options: ChangeOptions): readonly ChangePoint[] {
  const { seed, significance = 0.01, shortest = 7, permutations = 199 } = options
  const random = seededRandom(seed)
  const found: { at: number; p: number }[] = []
  const search = (from: number, to: number): void => {
    const part = Float64Array.from(series.slice(from, to))
    const split = clearestSplit(part, shortest)
    if (split === undefined || split.energy <= 0) return
    const p = chanceOf(part, split.energy, { shortest, permutations, random })
    if (p > significance) return
    search(from, from + split.at)
    found.push({ at: from + split.at, p })
    search(from + split.at, to)
  }
  search(0, series.length)
  return found.map(({ at, p }, index) => ({
    at,
    p,
    before: mean(series.slice(found[index - 1]?.at ?? 0, at)),
    after: mean(series.slice(at, found[index + 1]?.at ?? series.length)),
  }))
}

interface Split {
  /** First of the right side. */
  readonly at: number
  readonly energy: number
}

/** The split with the largest energy distance between its sides, in time that is quadratic in the length. */
function clearestSplit(values: Float64Array, shortest: number): Split | undefined {
  const length = values.length
  // toOthers[i]: distances of value i to all; within[k]: distances of all pairs among the first k.
  const toOthers = new Float64Array(length)
  const within = new Float64Array(length + 1)
  for (let one = 0; one < length; one += 1) {
    let toEarlier = 0
    for (let other = 0; other < one; other += 1) {
      const distance = Math.abs((values[one] ?? 0) - (values[other] ?? 0))
      toEarlier += distance
      toOthers[other] = (toOthers[other] ?? 0) + distance
    }
    toOthers[one] = toEarlier
    within[one + 1] = (within[one] ?? 0) + toEarlier
  }
  return largest(toOthers, within, shortest)
}

function largest(toOthers: Float64Array, within: Float64Array, shortest: number): Split | undefined {
  const length = toOthers.length
  const total = within[length] ?? 0
  let best: Split | undefined
  let sum = 0
  for (let at = 1; at <= length - shortest; at += 1) {
    sum += toOthers[at - 1] ?? 0
    if (at < shortest) continue
    const left = within[at] ?? 0
    const across = sum - 2 * left
    const right = total - left - across
    const rest = length - at
    const distance = (2 * across) / (at * rest) - (2 * left) / at ** 2 - (2 * right) / rest ** 2
    const energy = (distance * at * rest) / length
    if (best === undefined || energy > best.energy) best = { at, energy }
  }
  return best
}

/** Share of shuffled series whose clearest split is as clear. */
function chanceOf(
  values: Float64Array,
  energy: number,
  { shortest, permutations, random }: { shortest: number; permutations: number; random: Random },
): number {
  const shuffled = values.slice()
  let asClear = 1
  for (let round = 0; round < permutations; round += 1) {
    shuffle(shuffled, random)
    if ((clearestSplit(shuffled, shortest)?.energy ?? 0) >= energy) asClear += 1
  }
  return asClear / (permutations + 1)
}

function shuffle(values: Float64Array, random: Random): void {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const kept = values[last] ?? 0
    values[last] = values[other] ?? 0
    values[other] = kept
  }
}
