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

/** Buckets of a histogram that are next to each other are made when one of them is reached: 16, since k6 shifts faster than it divides. */
const PAGE_BITS = 4
const PAGE = 1 << PAGE_BITS
const PAGES = ceil(BUCKETS / PAGE)

/**
 * What several histograms hold, in one array: all buckets of one would be 10 kB, and to k6 an array of its own costs each of
 * them 2 kB, of which a user has some twenty.
 */
export class Buckets {
  /** By histogram and page, where the page begins in `#counts`; 0 where it was not reached. */
  readonly #begins: Uint16Array
  #counts = new Float64Array(4 * PAGE)
  /** What was held at the last `mark`. */
  #marked: Float64Array | undefined
  /** Where the next page begins; there is none at 0. */
  #end = PAGE

  constructor(histograms: number) {
    this.#begins = new Uint16Array(histograms * PAGES)
  }

  add(histogram: number, bucket: number, count: number): void {
    const page = histogram * PAGES + (bucket >> PAGE_BITS)
    const begins = this.#begins[page] ?? 0
    const place = (begins === 0 ? this.#reach(page) : begins) + (bucket & (PAGE - 1))
    this.#counts[place] = (this.#counts[place] ?? 0) + count
  }

  #reach(page: number): number {
    const begins = this.#end
    this.#begins[page] = begins
    this.#end += PAGE
    if (this.#end > this.#counts.length) {
      const larger = new Float64Array(2 * this.#counts.length)
      larger.set(this.#counts)
      this.#counts = larger
    }
    return begins
  }

  /**
   * Calls back with every bucket that holds something, the shortest times first.
   * @param fresh only with what came since `mark`
   */
  each(histogram: number, take: (bucket: number, count: number) => void, fresh = false): void {
    const marked = fresh ? this.#marked : undefined
    for (let page = 0; page < PAGES; page += 1) {
      const begins = this.#begins[histogram * PAGES + page] ?? 0
      if (begins === 0) continue
      for (let at = 0; at < PAGE; at += 1) {
        const count = (this.#counts[begins + at] ?? 0) - (marked?.[begins + at] ?? 0)
        if (count > 0) take(page * PAGE + at, count)
      }
    }
  }

  /** From now on, what is held is no longer fresh. */
  mark(): void {
    this.#marked = this.#counts.slice(0, this.#end)
  }

  clear(): void {
    this.#counts.fill(0)
    this.#marked = undefined
  }
}

/** Times in milliseconds. Buckets only ever add up, so the parts of a run merge into exactly the whole. */
export class Histogram {
  readonly #buckets: Buckets
  readonly #own: number

  /** @param own which of those that share the buckets it is */
  constructor(buckets = new Buckets(1), own = 0) {
    this.#buckets = buckets
    this.#own = own
  }

  get total(): number {
    let sum = 0
    this.each((_, count) => (sum += count))
    return sum
  }

  record(ms: number): void {
    this.#buckets.add(this.#own, bucketOf(ms), 1)
  }

  /** @throws RangeError when there is no such bucket */
  add(bucket: number, count: number): void {
    if (!(bucket >= 0 && bucket < BUCKETS)) throw new RangeError(`a histogram has no bucket ${bucket}`)
    this.#buckets.add(this.#own, bucket, count)
  }

  /** Calls back with every bucket that holds something, the shortest times first. @param fresh see `Buckets` */
  each(take: (bucket: number, count: number) => void, fresh = false): void {
    this.#buckets.each(this.#own, take, fresh)
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
}
