/** Largest relative error of a percentile. */
export const ALPHA = 0.02

const FLOOR_MS = 0.02
const CEILING_MS = 120_000
const GAMMA = (1 + ALPHA) / (1 - ALPHA)
const LOG_FLOOR = Math.log(FLOOR_MS)
const PER_LOG = 1 / Math.log(GAMMA)

// Looked up once: in k6, a look-up costs as much as the call.
const { ceil, log } = Math

/** How many buckets there are: one for all up to 20 µs, the others each 4 % wider than the one before, up to 120 s. */
export const BUCKETS = 1 + ceil(log(CEILING_MS / FLOOR_MS) * PER_LOG)

/** The bucket of a time. What is longer than the last bucket counts in the last. */
export function bucketOf(ms: number): number {
  if (!(ms > FLOOR_MS)) return 0
  const bucket = ceil((log(ms) - LOG_FLOOR) * PER_LOG)
  return bucket < BUCKETS ? bucket : BUCKETS - 1
}

/** The time that stands for all of a bucket: at most `ALPHA` away from any of them. */
export function timeOf(bucket: number): number {
  return bucket === 0 ? FLOOR_MS : (FLOOR_MS * 2 * GAMMA ** bucket) / (GAMMA + 1)
}

/** Times in milliseconds. Buckets only ever add up, so the parts of a run merge into exactly the whole. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS)

  get total(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0)
  }

  record(ms: number): void {
    const bucket = bucketOf(ms)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
  }

  /** @throws RangeError when there is no such bucket */
  add(bucket: number, count: number): void {
    const before = this.#counts[bucket]
    if (before === undefined) throw new RangeError(`a histogram has no bucket ${bucket}`)
    this.#counts[bucket] = before + count
  }

  /** Calls back with every bucket that holds something, the shortest times first. */
  each(take: (bucket: number, count: number) => void): void {
    this.#counts.forEach((count, bucket) => {
      if (count > 0) take(bucket, count)
    })
  }

  /** @returns milliseconds; undefined when nothing was recorded */
  quantile(share: number): number | undefined {
    const rank = Math.max(1, ceil(share * this.total))
    let seen = 0
    const bucket = this.#counts.findIndex((count) => (seen += count) >= rank)
    return bucket === -1 ? undefined : timeOf(bucket)
  }

  clear(): void {
    this.#counts.fill(0)
  }
}
