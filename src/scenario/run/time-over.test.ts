import { expect, test } from 'vitest'
import { endingOf } from './time-over.ts'

test('a run that began soon leaves its end what the plan reckons with', () => {
  expect(endingOf(60_000, 400)).toBe(6_000)
  expect(endingOf(300_000, 400)).toBe(6_000)
})

test('one that took long to begin leaves its end more, and at most a third of its time', () => {
  expect(endingOf(180_000, 2_000)).toBe(14_000)
  expect(endingOf(60_000, 2_000)).toBe(14_000)
  expect(endingOf(60_000, 5_000)).toBe(20_000)
})

test('a run that is given hardly any time still leaves its end what the plan reckons with', () => {
  expect(endingOf(9_000, 400)).toBe(6_000)
  expect(endingOf(9_000, 5_000)).toBe(6_000)
})
