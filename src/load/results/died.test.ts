import { expect, test } from 'vitest'
import { diedAt, everAnswered } from './died.ts'

const alive = { create_ms: { 100: 3 }, events: { 'response.done': 3 } }
const dying = { ...alive, errors: { 'create 0 network': 1 } }
const dead = { errors: { 'create 0 network': 9 } }

test('a target that answers after the run did not die', () => {
  expect(
    diedAt(
      [
        [0, alive],
        [5, dead],
      ],
      true,
    ),
  ).toBeUndefined()
})

test('it died in the first window from which on nothing succeeded', () => {
  expect(
    diedAt(
      [
        [0, dying],
        [5, alive],
        [10, dead],
        [15, dead],
      ],
      false,
    ),
  ).toBe(10)
})

test('it died in the last window in which something succeeded, where something was lost there already', () => {
  expect(
    diedAt(
      [
        [0, alive],
        [5, dying],
        [10, dead],
      ],
      false,
    ),
  ).toBe(5)
  expect(
    diedAt(
      [
        [0, alive],
        [5, { ...alive, conversations: { cut: 2 } }],
      ],
      false,
    ),
  ).toBe(5)
})

test('a target that never answered did not die', () => {
  expect(
    diedAt(
      [
        [0, dead],
        [5, dead],
      ],
      false,
    ),
  ).toBeUndefined()
  expect(everAnswered(dead)).toBe(false)
  expect(everAnswered({ errors: { 'create 429 10008': 1 } })).toBe(true)
})
