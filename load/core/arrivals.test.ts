import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueTimes } from '../testing/fake-executors.ts'
import {
  areaUntil,
  type Arrivals,
  countOf,
  dueAt,
  intendedAt,
  k6Stages,
  mostInAMinute,
  rounded,
  scaled,
  secondsOf,
} from './arrivals.ts'

const shapes: fc.Arbitrary<Arrivals> = fc.record({
  start_rate: fc.double({ min: 0.1, max: 20, noNaN: true }),
  stages: fc.array(
    fc.record({ seconds: fc.integer({ min: 1, max: 30 }), rate: fc.double({ min: 0.1, max: 20, noNaN: true }) }),
    { minLength: 1, maxLength: 4 },
  ),
})

test('when an iteration is due, the area under the rate has grown to its number', () => {
  fc.assert(
    fc.property(shapes, fc.double({ min: 0, max: 1, noNaN: true }), (shape, share) => {
      const number = Math.floor(share * Math.max(0, countOf(shape) - 1))
      fc.pre(areaUntil(shape, secondsOf(shape)) >= number + 1)
      expect(areaUntil(shape, dueAt(shape, number) / 1_000)).toBeCloseTo(number + 1, 5)
    }),
  )
})

test('as many begin, and when, as an executor begins that adds the rate up step by step', () => {
  fc.assert(
    fc.property(shapes.map(rounded), (shape) => {
      const due = dueTimes({ executor: 'ramping-arrival-rate', ...k6Stages(shape) })
      expect(due).toHaveLength(countOf(shape))
      due.slice(0, -1).forEach((at, number) => expect(Math.abs(at - dueAt(shape, number))).toBeLessThan(20))
    }),
    { numRuns: 30 },
  )
})

test('five seconds at one a second begin five', () => {
  const shape = { start_rate: 1, stages: [{ seconds: 5, rate: 1 }] }
  expect(countOf(shape)).toBe(5)
  expect([0, 1, 4].map((number) => dueAt(shape, number))).toEqual([1_000, 2_000, 5_000])
  expect(dueTimes({ executor: 'ramping-arrival-rate', ...k6Stages(shape) })).toHaveLength(5)
})

test('half an iteration at the end begins', () => {
  const shape = { start_rate: 3, stages: [{ seconds: 7.5, rate: 3 }] }
  expect(countOf(shape)).toBe(23)
  // k6 adds up with whole milliseconds, and gets a little less.
  const { stages, ...rest } = k6Stages(shape)
  const short = stages.map(({ duration, target }) => ({ duration: duration.replace('167', '166'), target }))
  expect(dueTimes({ executor: 'ramping-arrival-rate', ...rest, stages: short })).toHaveLength(23)
})

test('k6 has time for the last iteration after it is due, and nothing else is due then', () => {
  const stages = k6Stages({ start_rate: 8, stages: [{ seconds: 4, rate: 8 }] }).stages
  expect(stages.slice(-2)).toEqual([
    { duration: '0ms', target: 0 },
    { duration: '2000ms', target: 0 },
  ])
})

test('no minute has more than the fullest', () => {
  expect(mostInAMinute({ start_rate: 1, stages: [{ seconds: 5, rate: 1 }] })).toBe(5)
  expect(mostInAMinute({ start_rate: 2, stages: [{ seconds: 600, rate: 2 }] })).toBe(120)
  const spike = {
    start_rate: 0.5,
    stages: [
      { seconds: 100, rate: 0.5 },
      { seconds: 0, rate: 9 },
      { seconds: 10, rate: 9 },
    ],
  }
  expect(mostInAMinute(spike)).toBeCloseTo(90 + 25, 0)
})

test('a shape that is scaled begins so many times as much', () => {
  fc.assert(
    fc.property(shapes, fc.double({ min: 0.1, max: 3, noNaN: true }), (shape, factor) => {
      const end = secondsOf(shape)
      expect(areaUntil(scaled(shape, factor), end)).toBeCloseTo(factor * areaUntil(shape, end), 5)
    }),
  )
})

test('an iteration was meant for its own slot, or after drops for the last one before it began', () => {
  const shape = { start_rate: 2, stages: [{ seconds: 100, rate: 2 }] }
  expect(intendedAt(shape, 3, 2_004)).toBe(2_000)
  expect(intendedAt(shape, 3, 9_004)).toBe(9_000)
  // Not yet due: k6 is never early, but its clock is told in whole milliseconds.
  expect(intendedAt(shape, 3, 1_999.4)).toBe(2_000)
})
