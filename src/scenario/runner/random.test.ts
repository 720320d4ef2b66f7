import { expect, test } from 'vitest'
import { seeded } from './random.ts'

const draw = (seed: number, id: string, below = 6) => {
  const random = seeded(seed, id)
  return Array.from({ length: 600 }, () => random(below))
}

test('the same seed and id give the same numbers; another seed or id others', () => {
  expect(draw(1, 'a')).toEqual(draw(1, 'a'))
  expect(draw(1, 'a')).not.toEqual(draw(2, 'a'))
  expect(draw(1, 'a')).not.toEqual(draw(1, 'b'))
})

test('all numbers below the bound come, about equally often', () => {
  const counts = Array.from({ length: 6 }, (_, face) => draw(7, 'dice').filter((one) => one === face).length)
  expect(counts.reduce((sum, count) => sum + count)).toBe(600)
  for (const count of counts) expect(Math.abs(count - 100)).toBeLessThan(40)
})
