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

/** By how many buckets the array of a histogram grows at a time. */
const STEP = 16

/**
 * Times in milliseconds. Buckets only ever add up, so the parts of a run merge into exactly the whole. The array reaches
 * from the shortest time to the longest that came: a user has many histograms, and all buckets of each would be 100 kB.
 */
export class Histogram {
  #counts: Float64Array | undefined
  /** The bucket that `#counts` begins with. */
  #first = 0
  /** Buckets that hold something, in the order of their first time: what is read and emptied are these alone. */
  #used: number[] = []

  get total(): number {
    return this.#used.reduce((sum, bucket) => sum + this.#at(bucket), 0)
  }

  #at(bucket: number): number {
    return this.#counts?.[bucket - this.#first] ?? 0
  }

  record(ms: number): void {
    const bucket = bucketOf(ms)
    const counts = this.#counts
    const before = counts?.[bucket - this.#first]
    // Most times fall into buckets that hold some already: the way of every event.
    if (counts !== undefined && before !== undefined && before > 0) counts[bucket - this.#first] = before + 1
    else this.#put(bucket, 1)
  }

  /** @throws RangeError when there is no such bucket */
  add(bucket: number, count: number): void {
    if (!(bucket >= 0 && bucket < BUCKETS)) throw new RangeError(`a histogram has no bucket ${bucket}`)
    this.#put(bucket, count)
  }

  #put(bucket: number, count: number): void {
    if (count === 0) return
    const counts = this.#reaching(bucket)
    const before = counts[bucket - this.#first] ?? 0
    if (before === 0) this.#used.push(bucket)
    counts[bucket - this.#first] = before + count
  }

  /** The array, made longer where it does not reach to this bucket. */
  #reaching(bucket: number): Float64Array {
    const counts = this.#counts ?? new Float64Array(0)
    const place = bucket - this.#first
    if (place >= 0 && place < counts.length) return counts
    const [start, end] = counts.length === 0 ? [bucket, bucket] : [this.#first, this.#first + counts.length - 1]
    const first = Math.floor(Math.min(start, bucket) / STEP) * STEP
    const grown = new Float64Array((Math.floor(Math.max(end, bucket) / STEP) + 1) * STEP - first)
    grown.set(counts, start - first)
    this.#first = first
    this.#counts = grown
    return grown
  }

  /** Calls back with every bucket that holds something, the shortest times first. */
  each(take: (bucket: number, count: number) => void): void {
    for (const bucket of this.#used.toSorted((left, right) => left - right)) take(bucket, this.#at(bucket))
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
    for (const bucket of this.#used) if (this.#counts !== undefined) this.#counts[bucket - this.#first] = 0
    this.#used = []
  }
}
