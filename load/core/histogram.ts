/** Largest relative error of a percentile. */
export const ALPHA = 0.01

const FLOOR_MS = 0.02
const CEILING_MS = 120_000
const GAMMA = (1 + ALPHA) / (1 - ALPHA)
const LOG_FLOOR = Math.log(FLOOR_MS)
const PER_LOG = 1 / Math.log(GAMMA)

// Looked up once: in k6, a look-up costs as much as the call.
const { ceil, log } = Math

/** How many buckets there are: one for all up to 20 µs, the others each 2 % wider than the one before, up to 120 s. */
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

/**
 * Times in milliseconds. Buckets only ever add up, so the parts of a run merge into exactly the whole. The array comes
 * with the first time: a user has many histograms, and most stay empty.
 */
export class Histogram {
  #counts: Float64Array | undefined
  /** Buckets that hold something, in the order of their first time: what is read and emptied are these alone. */
  #used: number[] = []

  get total(): number {
    const counts = this.#counts
    return counts === undefined ? 0 : this.#used.reduce((sum, bucket) => sum + (counts[bucket] ?? 0), 0)
  }

  record(ms: number): void {
    const bucket = bucketOf(ms)
    const counts = this.#counts
    const before = counts?.[bucket]
    // Most times fall into buckets that hold some already: the way of every event.
    if (counts !== undefined && before !== undefined && before > 0) counts[bucket] = before + 1
    else this.#put(bucket, 1)
  }

  /** @throws RangeError when there is no such bucket */
  add(bucket: number, count: number): void {
    if (!(bucket >= 0 && bucket < BUCKETS)) throw new RangeError(`a histogram has no bucket ${bucket}`)
    this.#put(bucket, count)
  }

  #put(bucket: number, count: number): void {
    if (count === 0) return
    const counts = (this.#counts ??= new Float64Array(BUCKETS))
    const before = counts[bucket] ?? 0
    if (before === 0) this.#used.push(bucket)
    counts[bucket] = before + count
  }

  /** Calls back with every bucket that holds something, the shortest times first. */
  each(take: (bucket: number, count: number) => void): void {
    const counts = this.#counts
    if (counts === undefined) return
    for (const bucket of this.#used.toSorted((left, right) => left - right)) take(bucket, counts[bucket] ?? 0)
  }

  /** @returns milliseconds; undefined when nothing was recorded */
  quantile(share: number): number | undefined {
    const rank = Math.max(1, ceil(share * this.total))
    let seen = 0
    let found: number | undefined
    this.each((bucket, count) => {
      if (seen < rank && seen + count >= rank) found = timeOf(bucket)
      seen += count
    })
    return found
  }

  clear(): void {
    for (const bucket of this.#used) if (this.#counts !== undefined) this.#counts[bucket] = 0
    this.#used = []
  }
}
