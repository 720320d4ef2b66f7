const MINUTE = 60_000

/** Counts requests in fixed windows of one minute, aligned to the clock. */
export class RateWindow {
  readonly #limit: number
  readonly #now: () => number
  #window = -1
  #spent = 0

  constructor(limit: number, now: () => number = Date.now) {
    this.#limit = limit
    this.#now = now
  }

  /** Spends one request. Returns 0 when it is admitted, otherwise the whole seconds until the next window. */
  spend(): number {
    const now = this.#now()
    const window = Math.floor(now / MINUTE)
    if (window !== this.#window) this.#spent = 0
    this.#window = window
    if (this.#spent >= this.#limit) return Math.ceil(((window + 1) * MINUTE - now) / 1000)
    this.#spent += 1
    return 0
  }
}
