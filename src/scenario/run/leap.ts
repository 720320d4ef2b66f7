import { type Clock, realClock } from '#client/pace/clock'
import { RunAborted } from '#client/errors'
import type { WaitEntry } from '#trace/entry'

/**
 * Time that a run and a target in the same process agree to pass over: both count it as gone by. For the minutes in which
 * the limit of a key recovers while nothing else happens.
 */
export interface Leap {
  /** Milliseconds that were passed over so far. */
  readonly passedOver: () => number
  readonly passOver: (ms: number) => void
}

export function createLeap(): Leap {
  let passed = 0
  return { passedOver: () => passed, passOver: (ms) => void (passed += ms) }
}

/** What these waits wait for goes by the clock that leaps; sessions and their timers go by that of the machine. */
const leaps: ReadonlySet<WaitEntry['why'] | undefined> = new Set(['pace', 'retry-after', 'quiet'])
/** So often a wait looks whether it is alone by now, in milliseconds. */
const glance = 50

/**
 * A clock that passes over what can be, once nothing else is going on.
 * @param now milliseconds of the run, with what was passed over
 * @param alone whether no other scenario is running
 */
export function leapingClock(leap: Leap, now: () => number, alone: () => boolean): Clock {
  const real = realClock(now)
  return {
    now,
    async sleep(ms, signal, why) {
      if (!leaps.has(why)) return real.sleep(ms, signal)
      const end = now() + ms
      for (let left = ms; left > 0; left = end - now()) {
        if (signal?.aborted === true) throw new RunAborted()
        if (alone()) leap.passOver(Math.ceil(left))
        else await real.sleep(Math.min(glance, left), signal)
      }
    },
  }
}
