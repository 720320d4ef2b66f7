import type { RestAnswer } from '../../core/envelope.ts'
import { refusalOf } from '../../core/refusal.ts'

/** A target that answers nothing for so long is gone; one that starts again is back sooner. */
const GONE_MS = 40_000

/** When to stop trying: once its time is up, or the target is gone. */
export class Ends {
  readonly #now: () => number
  #until = Number.POSITIVE_INFINITY
  /** When the first request went out after the last answer; undefined where the last one was answered. */
  #silentSince: number | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** Nothing is tried again that would go on for longer than so many milliseconds from now. */
  within(ms: number): void {
    this.#until = this.#now() + ms
  }

  take(answer: RestAnswer): void {
    // One that was given up on purpose, or is slow, counts as well: what else is under way tells them apart.
    if (refusalOf(answer) !== 'network') this.#silentSince = undefined
    else this.#silentSince ??= answer.sentAt
  }

  /** On the machine's clock. */
  get at(): number {
    return Math.min(this.#until, (this.#silentSince ?? Number.POSITIVE_INFINITY) + GONE_MS)
  }

  get over(): boolean {
    return this.#now() >= this.at
  }
}
