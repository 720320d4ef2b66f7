import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changePoints } from './change-points.ts'
import { seededRandom } from './statistics.ts'
import { noisy } from './testing/synthetic.ts'

const seed = 17

test('two steps are found where they are', () => {
  const series = [...noisy(1, 30, 100), ...noisy(2, 30, 120), ...noisy(3, 30, 90)]
  const found = changePoints(series, { seed })
  expect(found).toHaveLength(2)
  expect(Math.abs((found[0]?.at ?? 0) - 30)).toBeLessThanOrEqual(2)
  expect(Math.abs((found[1]?.at ?? 0) - 60)).toBeLessThanOrEqual(2)
  expect(found[0]?.before).toBeCloseTo(100, -0.7)
  expect(found[1]?.after).toBeCloseTo(90, -0.7)
})

test('a constant series has no change', () => {
  expect(
    changePoints(
      Array.from({ length: 90 }, () => 7),
      { seed },
    ),
  ).toEqual([])
})

test('chance alone is taken for a change about as seldom as the significance says', () => {
  const wrong = Array.from({ length: 100 }, (_, index) =>
    changePoints(noisy(index, 60, 100), { seed, significance: 0.05 }),
  )
  expect(wrong.filter((found) => found.length > 0).length).toBeLessThanOrEqual(12)
})

test('scale and place of the numbers change nothing, and the same seed gives the same changes', () => {
  const random = seededRandom(5)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 }), fc.constantFrom(0.25, 4, 1024), (which, factor) => {
      const series = [...noisy(which, 20, 100), ...noisy(which + 1, 15, 100 + 40 * random())]
      const places = changePoints(series, { seed }).map(({ at }) => at)
      expect(changePoints(series, { seed }).map(({ at }) => at)).toEqual(places)
      const scaled = series.map((value) => value * factor)
      expect(changePoints(scaled, { seed }).map(({ at }) => at)).toEqual(places)
    }),
    { numRuns: 20, seed: 3 },
  )
})

test('no level is shorter than allowed', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { maxLength: 40 }), (series) => {
      const edges = [
        0,
        ...changePoints(series, { seed, shortest: 5, permutations: 19, significance: 0.1 }).map(({ at }) => at),
      ]
      const lengths = edges.map((edge, index) => (edges[index + 1] ?? series.length) - edge)
      if (edges.length > 1) expect(Math.min(...lengths)).toBeGreaterThanOrEqual(5)
    }),
    { numRuns: 50, seed: 3 },
  )
})
