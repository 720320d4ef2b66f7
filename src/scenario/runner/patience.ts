/** However little is left of it, a wait is at least so long, in milliseconds, and at least this part of the whole. */
const briefest_ms = 2_000
const brief = 0.1

/**
 * What never came is waited for in full once, and then only briefly until it comes: it blocks many scenarios, and each would
 * wait as long for the same thing.
 */
export interface Patience {
  /** It was waited for in full, and did not come. */
  vain(): void
  /** It came: whoever waits for it next has all the time again. */
  received(): void
  /** How much is left of so many milliseconds. */
  left(ms: number): number
}

export function createPatience(): Patience {
  let [inVain, everReceived] = [0, false]
  return {
    vain: () => {
      inVain += 1
    },
    received: () => {
      inVain = 0
      everReceived = true
    },
    left: (ms) => (inVain > (everReceived ? 1 : 0) ? Math.min(ms, Math.max(briefest_ms, ms * brief)) : ms),
  }
}
