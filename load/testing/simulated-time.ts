interface Task {
  readonly due: number
  readonly order: number
  readonly run: () => void
}

/** Time that passes only when nothing is left to do at the moment: hours of traffic pass in a test as fast as they compute. */
export class SimulatedTime {
  #now: number
  #order = 0
  readonly #tasks: Task[] = []

  constructor(start = 1_000_000) {
    this.#now = start
  }

  now = (): number => this.#now

  /** @returns how to call it off */
  later = (ms: number, run: () => void): (() => void) => {
    const task = { due: this.#now + Math.max(0, ms), order: (this.#order += 1), run }
    this.#insert(task)
    return () => {
      const place = this.#placeOf(task)
      if (this.#tasks[place] === task) this.#tasks.splice(place, 1)
    }
  }

  wait = (ms: number): Promise<void> => new Promise((resolve) => void this.later(ms, resolve))

  /**
   * Lets time pass until a promise is settled.
   * @throws Error when it never can be, because nothing is left to do
   */
  async run<Result>(main: Promise<Result>): Promise<Result> {
    let settled = false
    const settle = (): void => void (settled = true)
    main.then(settle, settle)
    for (;;) {
      await allPromises()
      if (settled) return main
      if (!this.#step()) throw new Error('everything waits, and nothing is left to wait for')
    }
  }

  /** Lets time pass until nothing is left to do. @throws Error when it goes on for ever */
  async play(most = 1_000_000): Promise<void> {
    await allPromises()
    for (let steps = 0; this.#step(); steps += 1) {
      if (steps === most) throw new Error(`${most} things were done, and still there are some to do`)
      await allPromises()
    }
  }

  /** Something took so long. */
  spend(ms: number): void {
    this.#now += ms
  }

  #step(): boolean {
    const next = this.#tasks.shift()
    if (next === undefined) return false
    this.#now = Math.max(this.#now, next.due)
    next.run()
    return true
  }

  #insert(task: Task): void {
    this.#tasks.splice(this.#placeOf(task), 0, task)
  }

  /** Where a task stands among all, or would. */
  #placeOf({ due, order }: Task): number {
    let low = 0
    let high = this.#tasks.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#tasks[middle]
      if (other !== undefined && (other.due < due || (other.due === due && other.order < order))) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Everything that promises have set going. */
const allPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
