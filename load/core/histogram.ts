/** Largest relative error of a percentile. */
export const ALPHA = 0.01

const FLOOR_MS = 0.02
const CEILING_MS = 120_000
const GAMMA = (1 + ALPHA) / (1 - ALPHA)

// Looked up once: in k6, a look-up costs as much as the call.
const { ceil, log } = Math

const PER_LOG = 1 / log(GAMMA)
const LOG_FLOOR = log(FLOOR_MS)

/** How wide buckets are at most as long as times are short: 1 % of 100 ms would be a whole millisecond. */
const WIDTH_MS = 0.2
/** Largest error of a percentile below `SHORT_MS`. */
export const SHORT_ERROR_MS = WIDTH_MS / 2
/** Times are short up to about this. */
export const SHORT_MS = 120

/** The last bucket before those that are equally wide: the first whose 2 % are that wide. */
const EVEN = ceil(log(WIDTH_MS / (GAMMA - 1) / FLOOR_MS) * PER_LOG) + 1
const EVEN_MS = FLOOR_MS * GAMMA ** EVEN
const PER_MS = 1 / WIDTH_MS
/** The last of those that are equally wide. */
const LONG = EVEN + ceil((SHORT_MS - EVEN_MS) * PER_MS)
const LONG_MS = EVEN_MS + (LONG - EVEN) * WIDTH_MS
const LOG_LONG = log(LONG_MS)

/**
 * How many buckets there are: one for all up to 20 µs, the others each 2 % wider than the one before, up to 120 s; but from
 * 10 to 120 ms each 0.2 ms wide.
 */
export const BUCKETS = LONG + 1 + ceil(log(CEILING_MS / LONG_MS) * PER_LOG)

/** The bucket of a time. What is longer than the last bucket counts in the last. */
export function bucketOf(ms: number): number {
  if (!(ms > FLOOR_MS)) return 0
  if (ms <= EVEN_MS) {
    const bucket = ceil((log(ms) - LOG_FLOOR) * PER_LOG)
    return bucket < EVEN ? bucket : EVEN
  }
  if (ms <= LONG_MS) return EVEN + ceil((ms - EVEN_MS) * PER_MS)
  const bucket = LONG + ceil((log(ms) - LOG_LONG) * PER_LOG)
  return bucket < BUCKETS ? bucket : BUCKETS - 1
}

/** The time that stands for all of a bucket: at most `ALPHA` away from any of them, and `SHORT_ERROR_MS` from short ones. */
export function timeOf(bucket: number): number {
  if (bucket === 0) return FLOOR_MS
  if (bucket <= EVEN) return (FLOOR_MS * 2 * GAMMA ** bucket) / (GAMMA + 1)
  if (bucket <= LONG) return EVEN_MS + (bucket - EVEN - 0.5) * WIDTH_MS
  return (LONG_MS * 2 * GAMMA ** (bucket - LONG)) / (GAMMA + 1)
}

/**
 * How many times fell into a bucket. An object, since it is as quick as a map in k6, where the first map costs each user
 * 11 kB, and the first typed array as much.
 */
export interface Reached {
  [bucket: number]: number
}

/** Times in milliseconds. Buckets only ever add up, so the parts of a run merge into exactly the whole. */
export class Histogram {
  /** Only what was reached, of some thousand buckets. */
  readonly #counts: Reached
  /** What is added to its buckets there. */
  readonly #base: number

  /**
   * @param counts where its numbers stand; several share one, since each object of its own costs a user of k6 half a kilobyte
   * @param place its number among those
   */
  constructor(counts: Reached = {}, place = 0) {
    this.#counts = counts
    this.#base = place * BUCKETS
  }

  get total(): number {
    let sum = 0
    this.each((_, count) => (sum += count))
    return sum
  }

  record(ms: number): void {
    const bucket = this.#base + bucketOf(ms)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
  }

  /** @throws RangeError when there is no such bucket */
  addTo(bucket: number, count: number): void {
    if (!(bucket >= 0 && bucket < BUCKETS)) throw new RangeError(`a histogram has no bucket ${bucket}`)
    const own = this.#base + bucket
    this.#counts[own] = (this.#counts[own] ?? 0) + count
  }

  /** Calls back with every bucket that holds something, in no order. */
  each(take: (bucket: number, count: number) => void): void {
    for (const [own, count] of Object.entries(this.#counts)) {
      const bucket = Number(own) - this.#base
      if (bucket >= 0 && bucket < BUCKETS) take(bucket, count)
    }
  }

  /** @returns milliseconds; undefined when nothing was recorded */
  quantile(share: number): number | undefined {
    const rank = Math.max(1, ceil(share * this.total))
    const reached: (readonly [bucket: number, count: number])[] = []
    this.each((bucket, count) => reached.push([bucket, count]))
    let seen = 0
    for (const [bucket, count] of reached.toSorted(([left], [right]) => left - right)) {
      seen += count
      if (seen >= rank) return timeOf(bucket)
    }
    return undefined
  }
}
