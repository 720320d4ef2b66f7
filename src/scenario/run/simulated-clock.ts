import { type Clock, realClock } from '#client/pace/clock'
import { RunAborted } from '#client/errors'
import type { WaitEntry } from '#trace/entry'

/**
 * Time that a run and a target in the same process agree to skip: both count it as gone by. For the minutes in which
 * the limit of a key recovers while nothing else happens.
 */
export interface SimulatedTime {
  /** Milliseconds that were skipped so far. */
  readonly skippedMs: () => number
  readonly skip: (ms: number) => void
}

export function createSimulatedTime(): SimulatedTime {
  let skipped = 0
  return { skippedMs: () => skipped, skip: (ms) => void (skipped += ms) }
}

/** What these waits wait for goes by simulated time; sessions and their timers go by that of the machine. */
const simulated: ReadonlySet<WaitEntry['why'] | undefined> = new Set(['pace', 'retry-after', 'quiet'])
/** So often a wait looks whether it is alone by now, in milliseconds. */
const glance = 50

/**
 * A clock that skips what can be skipped, once nothing else is going on.
 * @param now milliseconds of the run, with what was skipped
 * @param alone whether no other scenario is running
 */
export function simulatedClock(simulatedTime: SimulatedTime, now: () => number, alone: () => boolean): Clock {
  const real = realClock(now)
  return {
    now,
    async sleep(ms, signal, why) {
      if (!simulated.has(why)) return real.sleep(ms, signal)
      const end = now() + ms
      for (let left = ms; left > 0; left = end - now()) {
        if (signal?.aborted === true) throw new RunAborted()
        if (alone()) simulatedTime.skip(Math.ceil(left))
        else await real.sleep(Math.min(glance, left), signal)
      }
    },
  }
}
