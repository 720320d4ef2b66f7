import { Histogram } from '../../../../load/core/histogram.ts'
import { seeded } from '../../../../load/core/random.ts'

const times = 100_000
const shares = [0.5, 0.9, 0.99, 0.999]

/** Percentiles of the same times, dealt out to so many processes and merged, beside the exact ones. */
export function merged(): void {
  const random = seeded('merged')
  // From a millisecond to minutes, most of them short.
  const all = Array.from({ length: times }, () => Math.exp(random() * 4 + random() * 4))
  const sorted = all.toSorted((left, right) => left - right)
  const results = [1, 2, 4, 8].map((processes) => {
    const parts = Array.from({ length: processes }, () => new Histogram())
    all.forEach((time, place) => parts[place % processes]?.record(time))
    const whole = new Histogram()
    for (const part of parts) part.each((bucket, count) => whole.addTo(bucket, count))
    return { total: whole.total, percentiles: shares.map((share) => whole.quantile(share) ?? Number.NaN) }
  })
  const off = results.flatMap(({ percentiles }) =>
    percentiles.map((got, place) => {
      const exact = sorted[Math.ceil((shares[place] ?? 0) * times) - 1] ?? Number.NaN
      return Math.abs(got / exact - 1)
    }),
  )
  const equal = new Set(results.map((result) => JSON.stringify(result))).size === 1
  console.log(
    `${times} times in 1, 2, 4 and 8 parts: merged ${equal ? 'equal' : 'DIFFERENT'}, percentiles at most ${(100 * Math.max(...off)).toFixed(2)} % off the exact ones (goal 1)`,
  )
}
