/** Largest relative error of a percentile. */
export const ALPHA = 0.02

const FLOOR_MS = 0.02
const CEILING_MS = 120_000
const GAMMA = (1 + ALPHA) / (1 - ALPHA)
const LOG_GAMMA = Math.log(GAMMA)

/** How many buckets there are: one for all up to 20 µs, the others each 4 % wider than the one before, up to 120 s. */
export const BUCKETS = 1 + Math.ceil(Math.log(CEILING_MS / FLOOR_MS) / LOG_GAMMA)

/** The bucket of a time. What is longer than the last bucket counts in the last. */
export function bucketOf(ms: number): number {
  if (!(ms > FLOOR_MS)) return 0
  return Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / FLOOR_MS) / LOG_GAMMA))
}

/** The time that stands for all of a bucket: at most `ALPHA` away from any of them. */
export function timeOf(bucket: number): number {
  return bucket === 0 ? FLOOR_MS : (FLOOR_MS * 2 * GAMMA ** bucket) / (GAMMA + 1)
}

/** Times in milliseconds. Buckets only ever add up, so the parts of a run merge into exactly the whole. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS)
  #total = 0

  get total(): number {
    return this.#total
  }

  record(ms: number): void {
    this.add(bucketOf(ms), 1)
  }

  /** @throws RangeError when there is no such bucket */
  add(bucket: number, count: number): void {
    const before = this.#counts[bucket]
    if (before === undefined) throw new RangeError(`a histogram has no bucket ${bucket}`)
    this.#counts[bucket] = before + count
    this.#total += count
  }

  /** Calls back with every bucket that holds something, the shortest times first. */
  each(take: (bucket: number, count: number) => void): void {
    this.#counts.forEach((count, bucket) => {
      if (count > 0) take(bucket, count)
    })
  }

  /** @returns milliseconds; undefined when nothing was recorded */
  quantile(share: number): number | undefined {
    const rank = Math.max(1, Math.ceil(share * this.#total))
    let seen = 0
    const bucket = this.#counts.findIndex((count) => (seen += count) >= rank)
    return bucket === -1 ? undefined : timeOf(bucket)
  }

  clear(): void {
    this.#counts.fill(0)
    this.#total = 0
  }
}
