import { expect, test } from 'vitest'
import { drawPlans, stepBelow } from './plan.ts'

test('one seed gives one list of plans', () => {
  expect(drawPlans(7, 3, 40)).toEqual(drawPlans(7, 3, 40))
  expect(drawPlans(7, 1, 40)[0]).not.toEqual(drawPlans(8, 1, 40)[0])
})

test('every plan has its full length', () => {
  expect(drawPlans(1, 20, 40).map((plan) => plan.length)).toEqual(Array.from({ length: 20 }, () => 40))
})

test('steps lie anywhere below the bound, and not around its ends', () => {
  const steps = drawPlans(1, 50, 40).flat()
  expect(steps.every((step) => Number.isInteger(step) && step >= 0 && step < stepBelow)).toBe(true)
  const low = steps.filter((step) => step < stepBelow / 2).length
  expect(low).toBeGreaterThan(steps.length * 0.45)
  expect(low).toBeLessThan(steps.length * 0.55)
})

test('a plan stays what it is from one release to the next', () => {
  expect(drawPlans(1, 1, 6)).toMatchInlineSnapshot(`
    [
      [
        601934,
        108209,
        996196,
        824188,
        1007098,
        565391,
      ],
    ]
  `)
})
