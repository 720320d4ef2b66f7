import { instance } from 'k6/execution'

/**
 * A clock in milliseconds since 1970 with fractions, the same as the timestamps of k6's socket events: k6 has no
 * `performance`, and `Date.now()` cuts fractions off. Calibrated at a tick of `Date.now()`, which takes up to 1 ms.
 * Only inside an iteration.
 */
export function startClock(): () => number {
  // Each access to exec.instance makes a new object, which costs 10 µs.
  const held: { readonly currentTestRunDuration: number } = instance
  const before = Date.now()
  let tick = before
  while (tick === before) tick = Date.now()
  const offset = tick - held.currentTestRunDuration
  return () => held.currentTestRunDuration + offset
}
