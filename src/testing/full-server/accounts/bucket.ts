/** A bucket of tokens that holds a minute's worth and is refilled all the time. */
export class Bucket {
  private readonly size: number
  private tokens: number
  private seen = Date.now()

  constructor(perMinute: number) {
    this.size = perMinute
    this.tokens = perMinute
  }

  /** Takes a token; else the time in milliseconds at which one is there. */
  take(now = Date.now()): number | undefined {
    const perMs = this.size / 60_000
    this.tokens = Math.min(this.size, this.tokens + (now - this.seen) * perMs)
    this.seen = now
    if (this.tokens < 1) return now + (1 - this.tokens) / perMs
    this.tokens -= 1
    return undefined
  }
}
