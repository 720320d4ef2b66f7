/** Waits for events that are looked back at, and how many of them in vain make waiting hopeless. */
const lookedAt = 16
const hopeless = 13
/** Shorter waits prove nothing. */
const telling_ms = 1_000
const briefest_ms = 250
const brief = 0.1

/** Knows how many waits for events were in vain lately, on all channels of a run. */
export interface Hearing {
  /** How long to wait: all the time, but where hardly anything that was waited for came. */
  patience(ms: number): number
  /** A wait is over; `of` is what was meant to be waited at most. */
  waited(found: boolean, ms: number, of: number): void
}

export function createHearing(): Hearing {
  let vain: readonly boolean[] = []
  const isHopeless = () => vain.filter(Boolean).length >= hopeless
  return {
    patience: (ms) => (isHopeless() ? Math.min(ms, Math.max(briefest_ms, ms * brief)) : ms),
    waited: (found, ms, of) => {
      if (found || (ms >= telling_ms && ms >= 0.8 * of)) vain = [...vain, !found].slice(-lookedAt)
    },
  }
}
