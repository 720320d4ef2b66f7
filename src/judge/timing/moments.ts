/** Milliseconds of the run between which something happened. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** How many moments there must have been at least, each of these things having happened at one of them. */
export function leastMoments(spans: readonly Span[]): number {
  let [count, last] = [0, Number.NEGATIVE_INFINITY]
  for (const { from, until } of spans.toSorted((one, other) => one.until - other.until)) {
    if (from <= last) continue
    count += 1
    last = until
  }
  return count
}
