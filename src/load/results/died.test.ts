import { expect, test } from 'vitest'
import { diedAt } from './died.ts'

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

test('a target that answered before the run and never since died at its start', () => {
  expect(
    diedAt(
      [
        [0, {}],
        [5, dead],
      ],
      false,
    ),
  ).toBe(5)
})

test('a run in which nothing was lost shows no death', () => {
  expect(diedAt([[0, alive]], false)).toBeUndefined()
  expect(diedAt([], false)).toBeUndefined()
})

test('a target that refuses nearly everything is there as long as it refuses', () => {
  const refusing = { errors: { 'create 429 30006': 90, 'create 0 network': 3 } }
  const proxy = { errors: { 'create 502 no-envelope': 5 } }
  const windows = [refusing, refusing, dead, proxy, dead].map((numbers, place) => [5 * place, numbers] as const)
  expect(diedAt(windows, false)).toBe(5)
})
