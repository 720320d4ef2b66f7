import { expect, test } from 'vitest'
import { row } from '#testing/hand-made-results'
import { isLeftOpen } from './verdict.ts'

test('a row of another tier is left open where it was asked for by its own id', () => {
  const untried = row('voices.a.b', 'inconclusive', { reason_code: 'tier' })
  expect(isLeftOpen(untried, ['voices.a.b'])).toBe(true)
  expect(isLeftOpen(untried, ['voices'])).toBe(false)
  expect(isLeftOpen(untried, [])).toBe(false)
})

test('what we cannot cause leaves nothing open, and what stood in the way does', () => {
  expect(isLeftOpen(row('voices.a.b', 'inconclusive', { reason_code: 'passive' }), ['voices.a.b'])).toBe(false)
  expect(isLeftOpen(row('voices.a.b', 'inconclusive', { reason_code: 'network' }), [])).toBe(true)
})
