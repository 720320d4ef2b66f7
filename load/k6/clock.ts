import * as execution from 'k6/execution'

/** How many ticks of `Date.now()` are waited for; each takes a millisecond. */
const TICKS = 2

/**
 * A clock in milliseconds since 1970 with fractions, the same as the timestamps of k6's socket events: k6 has no
 * `performance`, and `Date.now()` cuts fractions off. What is cut off is least right after a tick; where the machine was
 * busy just then, it is more, so the best of several ticks is taken. Only inside an iteration.
 */
export function startClock(): () => number {
  // Each access to exec.instance makes a new object, which costs 10 µs.
  const held: { readonly currentTestRunDuration: number } = execution.instance
  let offset = Number.NEGATIVE_INFINITY
  const before = Date.now()
  for (let tick = before; tick < before + TICKS; tick = Date.now())
    offset = Math.max(offset, tick - held.currentTestRunDuration)
  return () => held.currentTestRunDuration + offset
}
