import { expect, test } from 'vitest'
import type { Json } from './json.ts'
import { equal } from './match.ts'

test.each<[string, Json, Json, boolean]>([
  ['a fraction and what 32 bits keep of it', { speed: 0.7 }, { speed: Math.fround(0.7) }, true],
  ['fractions that differ in the seventh digit', 0.7, 0.700_002, false],
  ['integers that are next to each other', 1_000_000_000, 1_000_000_001, false],
  ['an integer and a fraction close to it', 1, 1.01, false],
  ['an integer and its digits', 5000, '5000', true],
  ['a fraction and its digits', 0.5, '0.5', false],
  ['the same members in another order', { a: 1, b: [null] }, { b: [null], a: 1 }, true],
  ['one member more', { a: 1 }, { a: 1, b: null }, false],
])('%s', (_, left, right, same) => {
  expect(equal(left, right)).toBe(same)
  expect(equal(right, left)).toBe(same)
})
