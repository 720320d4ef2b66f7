import { isKilled, type WalkResult } from './walk-run.ts'

/** Between two lines, in milliseconds: a series that seems to hang is ended by whoever waits for it. */
const pause_ms = 15_000

/**
 * Tells on stderr how far a series is and how long the rest will take, a line now and then and one at the end: stdout
 * keeps the figures alone.
 */
export class Progress {
  readonly #name: string
  readonly #began = performance.now()
  #told = this.#began
  #done = 0
  #shown = 0
  #red = 0

  constructor(name: string) {
    this.#name = name
  }

  readonly add = (result: WalkResult, all: number): void => {
    if (isKilled(result)) this.#shown += 1
    if (result.red.length > 0) this.#red += 1
    this.count(all, this.#name === 'kills' ? `${this.#shown} show their defect` : `${this.#red} with a red row`)
  }

  /** One more run is done. */
  count(all: number, what: string): void {
    this.#done += 1
    const now = performance.now()
    if (this.#done < all && now - this.#told < pause_ms) return
    this.#told = now
    const left_s = Math.round(((now - this.#began) / this.#done / 1_000) * (all - this.#done))
    console.error(`${this.#name}: ${this.#done} of ${all} runs, ${what}, about ${left_s} s left`)
  }
}
