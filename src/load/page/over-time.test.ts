import { expect, test } from 'vitest'
import type { LoadReport } from '../load-report.ts'
import { rateOverTime } from './over-time.ts'
import { madeUpReport } from './testing/made-up.ts'

/** The line that the rate is held against, of a run whose windows began so many iterations. */
function askedIn(iterations: readonly number[], rate: Partial<LoadReport['rate']>): readonly (number | null)[] {
  const [first] = madeUpReport().timeline
  const timeline = iterations.map((begun, index) => ({ ...first, iterations: begun, at_s: index * 5 }))
  const { charts } = rateOverTime(
    madeUpReport({
      timeline: timeline as LoadReport['timeline'],
      rate: { target_per_s: 3.5, achieved_per_s: 3.5, dropped: 0, ...rate },
    }),
  )
  const line = charts[0]?.lines.find(({ label }) => label === 'asked for')
  return (line?.values ?? []).map((value) => (value === null ? null : Math.round(value * 10) / 10))
}

const climb = { start_rate: 2, stages: [{ seconds: 20, rate: 6 }] }

test('where the rate climbs, so does what was asked for', () => {
  expect(askedIn([12, 17, 22, 27], { shape: climb })).toEqual([2.4, 3.5, 4.5, 5.5])
})

test('a schedule begins where its first window saw the first of it', () => {
  expect(askedIn([0, 4, 14, 20, 24, 16], { shape: climb })).toEqual([0, 0.8, 2.9, 3.9, 4.9, 3.6])
})

test('where the rate stays as it is, one number was asked for all the time', () => {
  expect(askedIn([17, 18, 17, 18], {})).toEqual([3.5, 3.5, 3.5, 3.5])
})

test('of a climb that was ended early it is known as well what was asked for', () => {
  expect(askedIn([12, 17, 22], { target_per_s: 4, achieved_per_s: 3.4, shape: climb })).toEqual([2.4, 3.5, 4.5])
})
