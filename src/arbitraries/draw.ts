import * as fc from 'fast-check'

/** `count` values; the same seed gives the same ones, wherever it is asked. */
export function draw<Value>(arbitrary: fc.Arbitrary<Value>, seed: number, count: number): readonly Value[] {
  return fc.sample(arbitrary, { seed, numRuns: count })
}
