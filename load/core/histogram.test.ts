import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALPHA, BUCKETS, bucketOf, Histogram, SHORT_ERROR_MS, SHORT_MS, timeOf } from './histogram.ts'

/** Times of a run, from 20 µs to two minutes. */
const times = fc.array(fc.double({ min: 0.021, max: 119_000, noNaN: true }), { minLength: 1, maxLength: 200 })

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.record(value)
  return histogram
}

function bucketsOf(histogram: Histogram): [number, number][] {
  const buckets: [number, number][] = []
  histogram.each((bucket, count) => buckets.push([bucket, count]))
  return buckets.toSorted(([left], [right]) => left - right)
}

test('parts merge into exactly the whole', () => {
  fc.assert(
    fc.property(fc.array(times, { maxLength: 5 }), (parts) => {
      const merged = new Histogram()
      for (const part of parts) histogramOf(part).each((bucket, count) => merged.addTo(bucket, count))
      expect(bucketsOf(merged)).toEqual(bucketsOf(histogramOf(parts.flat())))
    }),
  )
})

test('a percentile is within the promised error of the true one', () => {
  fc.assert(
    fc.property(times, fc.constantFrom(0.01, 0.5, 0.9, 0.99, 1), (values, share) => {
      const exact =
        values.toSorted((left, right) => left - right)[Math.max(1, Math.ceil(share * values.length)) - 1] ?? 0
      const estimate = histogramOf(values).quantile(share) ?? 0
      const error = Math.abs(estimate - exact)
      expect(error).toBeLessThanOrEqual(exact * ALPHA * 1.000001)
      if (exact <= SHORT_MS) expect(error).toBeLessThanOrEqual(SHORT_ERROR_MS * 1.000001)
    }),
  )
})

test('longer times are in the same bucket or the next one', () => {
  const steps = new Set<number>()
  let last = 0
  for (let ms = 0.01; ms < 130_000; ms *= 1.001) {
    steps.add(bucketOf(ms) - last)
    last = bucketOf(ms)
  }
  expect(steps).toEqual(new Set([0, 1]))
  expect(last).toBe(BUCKETS - 1)
})

test('an empty histogram has no percentile', () => {
  expect(new Histogram().quantile(0.5)).toBeUndefined()
})

test.each([
  [-1, 0],
  [Number.NaN, 0],
  [0, 0],
  [0.02, 0],
  [0.0201, 1],
  [120_000, BUCKETS - 1],
  [1e9, BUCKETS - 1],
  [Number.POSITIVE_INFINITY, BUCKETS - 1],
])('%d ms fall into bucket %d', (ms, bucket) => {
  expect(bucketOf(ms)).toBe(bucket)
})

test('every bucket holds its own time', () => {
  for (let bucket = 1; bucket < BUCKETS - 1; bucket += 1) expect(bucketOf(timeOf(bucket))).toBe(bucket)
})

test('a bucket that does not exist is refused', () => {
  expect(() => new Histogram().addTo(BUCKETS, 1)).toThrow(RangeError)
})

test('histograms that share their buckets do not mix', () => {
  const shared = {}
  const [short, long] = [new Histogram(shared, 0), new Histogram(shared, 1)]
  for (const ms of [1, 2, 300]) short.record(ms)
  long.record(1e9)
  expect([short.total, long.total]).toEqual([3, 1])
  expect(bucketsOf(short)).toEqual(bucketsOf(histogramOf([1, 2, 300])))
  expect(long.quantile(0.5)).toBe(histogramOf([1e9]).quantile(0.5))
})
