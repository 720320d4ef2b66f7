import { expect, test } from 'vitest'
import { paceOf } from './throughput.ts'

test.each([
  [{ asked: 40, reached: 38 }, '38! a second'],
  [{ asked: 40, reached: 37.9 }, '37.9! a second came, of 40! by the schedule'],
])('of %j both numbers are told only where the target fell behind', (rate, says) => {
  expect(paceOf(rate, (value) => `${value}!`)).toBe(says)
})
