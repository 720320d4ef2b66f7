import * as fc from 'fast-check'

/** Every step of a plan is an integer from 0 below this. */
export const stepBelow = 2 ** 20

/** A plan is plain data: what a step means is found out when it is its turn, so that every step can be taken. */
export type Plan = readonly number[]

/** `count` plans of `length` steps each; the same seed gives the same plans, wherever it is asked. */
export function drawPlans(seed: number, count: number, length: number): readonly Plan[] {
  // Without bias and size, fast-check prefers small numbers and short lists.
  const step = fc.noBias(fc.integer({ min: 0, max: stepBelow - 1 }))
  const plan = fc.array(step, { minLength: length, maxLength: length, size: 'max' })
  return fc.sample(plan, { seed, numRuns: count })
}
