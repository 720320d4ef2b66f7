import { expect, test } from 'vitest'
import { some } from './findings.ts'

test.each([
  ['conversations were cut off', '1 conversation was cut off'],
  ['responses ended failed', '1 response ended failed'],
  ['control channels did not open', '1 control channel did not open'],
  ['second waiting responses were rejected', '1 second waiting response was rejected'],
  ['of 5 iterations found no free user', '1 of 5 iterations found no free user'],
])('of one: %s', (several, one) => {
  expect(some(1, several)).toEqual([{ text: one }])
  expect(some(2, several)).toEqual([{ text: `2 ${several}` }])
})
