import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tooDeep } from './depth.ts'
import type { Json } from './json.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('the limit itself is allowed', () => {
  expect(tooDeep(nested(128))).toBe(false)
  expect(tooDeep(nested(129))).toBe(true)
})

test('siblings and brackets inside strings do not count', () => {
  expect(tooDeep(`[${'{},'.repeat(1000)}0]`)).toBe(false)
  expect(tooDeep(JSON.stringify({ a: `"\\${'['.repeat(500)}` }))).toBe(false)
})

test('a million levels are found without recursion', () => {
  expect(tooDeep('{"a":'.repeat(1_000_000))).toBe(true)
})

test('it agrees with a walk over the parsed value', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 6 }), (text, limit) => {
      expect(tooDeep(text.padEnd(limit + 1), limit)).toBe(depthOf(JSON.parse(text) as Json) > limit)
    }),
  )
})

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner)))
}
