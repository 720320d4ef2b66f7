import { expect, test } from 'vitest'
import type { Night } from './night.ts'
import { otavaRuns } from './otava.ts'
import { noisy, watchedNights } from './testing/synthetic.ts'
import { comparable, trendsOf, watch } from './trend.ts'

const series = 40
const stepAt = 60

test(`of ${series} series that vary by 5 %, a step of 10 % is found within three nights in 95 of 100, with less than one false alarm in 60 nights`, () => {
  const watched = Array.from({ length: series }, (_, seed) => watchedNights(seed, stepAt, 4))
  const found = watched.filter((nights) => nights.slice(stepAt).includes(true))
  // An alarm that goes on for several nights is one.
  const alarms = watched.map(
    (nights) => nights.filter((one, at) => at < stepAt && one && nights[at - 1] !== true).length,
  )
  expect(found.length).toBeGreaterThanOrEqual(0.95 * series)
  expect(alarms.reduce((sum, count) => sum + count, 0) / series).toBeLessThanOrEqual(1)
})

test('a large jump is found in its own night', () => {
  expect(watch([...noisy(1, 30, 100), 140]).shift).toMatchObject({ nights: 1, after: 140 })
})

test('what is sure but smaller than 5 % is no shift', () => {
  const steady = Array.from({ length: 30 }, () => 100)
  expect(watch([...steady, 104, 104, 104, 104])).toEqual({ changes: [], shift: undefined })
  expect(watch([...steady, 106]).shift).toMatchObject({ nights: 1, before: 100, after: 106 })
})

test('one wild night does not hide a step', () => {
  const values = [...noisy(3, 20, 100), 900, ...noisy(4, 20, 100), ...noisy(5, 4, 130)]
  expect(watch(values).shift?.after).toBeGreaterThan(120)
})

test('nights of which most are in one bucket, and some in those beside it, differ as they always do', () => {
  const nights = [1031, 1010, 1052, 1010, 1010, 1073, 1052, 1073, 1052, 1031, 1010, 1010, 1010, 1010, 1010]
  expect(watch([...nights, 1073], { metrics: 9, grain: 0.1 }).shift).toBeUndefined()
  expect(watch([...nights, 1310], { metrics: 9, grain: 0.1 }).shift).toMatchObject({ nights: 1, after: 1310 })
})

test('too few nights say nothing', () => {
  expect(watch([1, 2, 3, 50])).toEqual({ changes: [], shift: undefined })
  expect(watch([])).toEqual({ changes: [], shift: undefined })
})

const nightsOf = (values: readonly number[], metric: string, facts: Partial<Night> = {}): readonly Night[] =>
  values.map((value, index) => ({
    night: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    run: `run-${index}`,
    scenario: 'soak',
    workload: 'average',
    fingerprint: 'one',
    verdict: 'pass',
    metrics: { [metric]: value },
    ...facts,
  }))

test.each([
  ['create.p95_ms', 150, 'worse'],
  ['create.p95_ms', 50, 'better'],
  ['events_per_s', 150, 'better'],
  ['events_per_s', 50, 'worse'],
  ['knee_per_s', 50, 'worse'],
  ['events_per_s', 100, 'same'],
] as const)('%s that goes to %d of 100 is %s', (metric, tonight, direction) => {
  const [trend] = trendsOf(nightsOf([...noisy(1, 20, 100), tonight], metric))
  expect(trend).toMatchObject({ metric, direction })
})

test('of ten metrics of a constant service, one is named worse no more often than one that is watched alone', () => {
  let alarms = 0
  const rounds = 10
  for (let round = 0; round < rounds; round += 1) {
    const all = Array.from({ length: 10 }, (_, metric) => noisy(3_000 + 10 * round + metric, 75, 100))
    for (let night = 35; night <= 75; night += 4) {
      const nights = nightsOf([...Array(night).keys()], 'x').map((one, at) => ({
        ...one,
        metrics: Object.fromEntries(all.map((values, metric) => [`${metric}.p95_ms`, values[at] ?? 0])),
      }))
      if (trendsOf(nights).some(({ direction }) => direction === 'worse')) alarms += 1
    }
  }
  expect(alarms / (rounds * 11)).toBeLessThanOrEqual(0.07)
})

test.each([
  ['error_share', 0, 1 / 3_000],
  ['error_share', 0, 2 / 3_000],
  ['create.p50_ms', 1.2, 1.3],
])('%s that was %d in all nights and is %d in one is the same', (metric, before, tonight) => {
  const nights = nightsOf([...Array.from({ length: 30 }, () => before), tonight], metric, { iterations: 3_000 })
  expect(trendsOf(nights)).toMatchObject([{ direction: 'same' }])
})

test('one request in a hundred that fails, where none did, is worse in its own night', () => {
  const nights = nightsOf([...Array.from({ length: 30 }, () => 0), 0.01], 'error_share', { iterations: 3_000 })
  expect(trendsOf(nights)).toMatchObject([{ direction: 'worse' }])
})

test('only nights that were measured alike by a healthy generator are compared', () => {
  const alike = nightsOf([1, 2], 'x')
  const others = [
    ...nightsOf([3], 'x', { fingerprint: 'another machine' }),
    ...nightsOf([4], 'x', { workload: 'stress' }),
    ...nightsOf([5], 'x', { scenario: 'uploads' }),
    ...nightsOf([6], 'x', { verdict: 'invalid' }),
  ]
  expect(comparable([...others, ...alike])).toEqual(alike)
})

test('Apache Otava gets every night with a time of its own, names and numbers', () => {
  const [first, second] = otavaRuns([...nightsOf([1], 'x'), ...nightsOf([2], 'x', { run: 'again' })])
  expect(first).toEqual({
    timestamp: Date.UTC(2026, 0, 1) / 1_000,
    metrics: [{ name: 'x', value: 1 }],
    attributes: {
      branch: 'main',
      run: 'run-0',
      scenario: 'soak',
      workload: 'average',
      fingerprint: 'one',
      verdict: 'pass',
    },
  })
  expect(second?.timestamp).toBe((first?.timestamp ?? 0) + 1)
})
