/** Sessions that are asked for side by side before anything is known about a workspace's cap. */
const optimistic = 6

/** A session that has been asked to close may hold its place for a while; whether it does is not said. */
const cleanup_ms = 3_000

/** Places for open avatar sessions in one workspace. Knows only what this run made; others may hold places too. */
export class Pool {
  /** From the profile. */
  readonly declared: number | undefined
  /** Learned: more than this did not fit at least once. */
  #seen: number | undefined
  /** Learned: a scenario that had the pool to itself got no more than this. */
  #proven: number | undefined
  /** The most that were open at once. */
  #reached = 0
  #taken = 0
  #takenLong = 0
  #changes = 0
  #starved = false
  #turn: Promise<void> = Promise.resolve()
  readonly #open = new Set<string>()
  readonly #known = new Set<string>()
  /** Sessions that were closed, and when, latest last. */
  readonly #ended = new Map<string, number>()

  constructor(declared?: number) {
    this.declared = declared
  }

  /** Sessions of this run that are open now. */
  get open(): number {
    return this.#open.size
  }

  /** All sessions of this run. */
  get known(): ReadonlySet<string> {
    return this.#known
  }

  /** Those that were closed, and when; latest last. */
  get ended(): ReadonlyMap<string, number> {
    return this.#ended
  }

  /** Whether a session was ever given. */
  get gave(): boolean {
    return this.#reached > 0
  }

  /** Grows whenever a session opens or ends. */
  get changes(): number {
    return this.#changes
  }

  /** Somebody waited in vain, and nothing opened since. */
  get starved(): boolean {
    return this.#starved
  }

  /** Whether the cap is sure not to allow so many, whoever else uses the workspace. */
  impossible(count: number): boolean {
    return count > Math.min(this.declared ?? Infinity, this.#proven ?? Infinity)
  }

  /** Whether a scenario that holds `count` sessions at once may start now. */
  admits(count: number, long: boolean): boolean {
    if (count === 0 || this.#taken === 0) return true
    if (long && this.#takenLong + count > this.#forLong()) return false
    return this.#taken + count <= this.#capacity(count)
  }

  take(count: number, long: boolean): void {
    this.#taken += count
    if (long) this.#takenLong += count
  }

  give(count: number, long: boolean): void {
    this.take(-count, long)
  }

  opened(id: string): void {
    this.#open.add(id)
    this.#known.add(id)
    this.#reached = Math.max(this.#reached, this.#open.size)
    if (this.#open.size > (this.#proven ?? Infinity)) this.#proven = undefined
    this.#starved = false
    this.#changes += 1
  }

  closed(id: string): void {
    if (!this.#open.delete(id)) return
    // Its place comes free: whoever waits next does not wait in vain.
    this.#starved = false
    this.#changes += 1
    this.#ended.set(id, performance.now())
  }

  /** It could not be ended, and nobody will try again soon: whoever waits for a place need not wait for this one. */
  gaveUp(id: string): void {
    this.#open.delete(id)
  }

  /** 30006: what is open now, or ended a moment ago, is all that fits. */
  full(): void {
    this.#seen = Math.max(1, Math.min(this.#seen ?? optimistic, this.#open.size + this.#ending()))
  }

  /** 30006 for good. `own` sessions of the scenario that gave up are open; if no others are, that is all one can get. */
  markStarved(own: number): void {
    this.#starved = true
    if (own > 0 && this.#open.size === own) this.#proven = own
  }

  /** One at a time: resolves, in the order of asking, with what ends the turn. */
  async turn(): Promise<() => void> {
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    await before
    return resolve
  }

  /** More than one at once only up to what has been seen to fit, or two scenarios could each wait for the other's. */
  #capacity(count: number): number {
    if (this.declared !== undefined) return Math.min(this.declared, this.#seen ?? Infinity)
    return this.#seen ?? (count > 1 ? this.#reached : optimistic)
  }

  #ending(): number {
    return [...this.#ended.values()].filter((time) => performance.now() - time < cleanup_ms).length
  }

  /** Scenarios that mostly wait leave room for the others. */
  #forLong(): number {
    const capacity = this.#capacity(1)
    return Math.max(1, capacity - (capacity > 3 ? 2 : 1))
  }
}
