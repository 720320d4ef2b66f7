import { AsyncLocalStorage } from 'node:async_hooks'
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
/** Milliseconds between two looks of a wait at what else is going on. */
const glance = 50
/** How many looks in a row must find every scenario waiting: by then what they had sent is answered. */
const calmLooks = 20

/** A wait of one of the scenarios that run, or of the run itself. */
interface Wait {
  readonly scenario: string | undefined
  readonly end: number
}

/** Which scenarios of a run are running, and which of them wait for nothing but simulated time. */
export class Running {
  readonly #ids = new Set<string>()
  readonly #waits = new Set<Wait>()
  readonly #current = new AsyncLocalStorage<string>()

  start(id: string): void {
    this.#ids.add(id)
  }

  end(id: string): void {
    this.#ids.delete(id)
  }

  /** What is done inside is done by the scenario. */
  within<Result>(id: string, action: () => Result): Result {
    return this.#current.run(id, action)
  }

  /** Whether no other scenario is running. */
  isAlone(): boolean {
    return this.#ids.size <= 1
  }

  /** @param end milliseconds of the run */
  enter(end: number): Wait {
    const wait = { scenario: this.#current.getStore(), end }
    this.#waits.add(wait)
    return wait
  }

  leave(wait: Wait): void {
    this.#waits.delete(wait)
  }

  /** Whether all that run are waiting, nobody for less long than this. */
  isNext(wait: Wait): boolean {
    const waits = [...this.#waits]
    const waiting = new Set(waits.map(({ scenario }) => scenario))
    return [...this.#ids].every((id) => waiting.has(id)) && waits.every(({ end }) => end >= wait.end)
  }
}

/**
 * A clock that skips what can be skipped, once nothing else is going on.
 * @param now milliseconds of the run, with what was skipped
 */
export function simulatedClock(simulatedTime: SimulatedTime, now: () => number, running: Running): Clock {
  const real = realClock(now)
  return {
    now,
    async sleep(ms, signal, why) {
      if (!simulated.has(why)) return real.sleep(ms, signal)
      const wait = running.enter(now() + ms)
      try {
        let calm = 0
        for (let left = ms; left > 0; left = wait.end - now()) {
          if (signal?.aborted === true) throw new RunAborted()
          calm = running.isNext(wait) ? calm + 1 : 0
          if (running.isAlone() || calm > calmLooks) simulatedTime.skip(Math.ceil(left))
          else await real.sleep(Math.min(glance, left), signal)
        }
      } finally {
        running.leave(wait)
      }
    },
  }
}
