/** Starts to count. @returns the seconds since then */
export function stopwatch(): () => number {
  const began = performance.now()
  return () => (performance.now() - began) / 1_000
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
