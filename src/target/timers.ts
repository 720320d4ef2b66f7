/** A timer that has been set; cancelling twice, or after it rang, does nothing. */
export interface Timer {
  cancel(): void
}

/** Cancels those that are set. */
export function cancelAll(timers: { readonly [name: string]: Timer }): void {
  for (const timer of Object.values(timers)) timer.cancel()
}

/** All timers of one target. After `stop` nothing rings any more and nothing new can be set. */
export interface Timers {
  /** Calls `task` once after `ms` milliseconds. */
  after(ms: number, task: () => void): Timer
  /** Resolves after `ms` milliseconds, at once for zero; stays pending when the target stops. */
  wait(ms: number): Promise<void>
  stop(): void
}

/** Node treats a longer delay as one millisecond. */
const LONGEST_DELAY = 2 ** 31 - 1

/** One task that waits for its time. */
interface Entry {
  /** On the clock of `performance.now`, in milliseconds. */
  readonly dueMs: number
  readonly task: () => void
  handle: NodeJS.Timeout
}

/**
 * What was due first rings first, even on a machine that has stood still: Node rings all overdue timers of one delay
 * before those of another, which would turn the order of events around.
 */
export function createTimers(): Timers {
  const waiting: Entry[] = []
  let stopped = false
  const ring = (entry: Entry): void => {
    const [first] = waiting
    if (first === undefined) return
    waiting.shift()
    clearTimeout(first.handle)
    if (first !== entry) entry.handle = setTimeout(ring, 0, entry)
    first.task()
  }
  const after = (ms: number, task: () => void): Timer => {
    if (stopped || ms > LONGEST_DELAY) return { cancel: () => undefined }
    const entry: Entry = { dueMs: performance.now() + ms, task, handle: setTimeout(() => ring(entry), ms) }
    waiting.splice(placeOf(entry, waiting), 0, entry)
    const cancel = (): void => {
      clearTimeout(entry.handle)
      const place = waiting.indexOf(entry)
      if (place >= 0) waiting.splice(place, 1)
    }
    return { cancel }
  }
  return {
    after,
    wait: (ms) => (ms <= 0 ? Promise.resolve() : new Promise((resolve) => void after(ms, resolve))),
    stop: () => {
      stopped = true
      for (const { handle } of waiting) clearTimeout(handle)
      waiting.length = 0
    },
  }
}

/** Behind all that are due before it or with it: found from the end, where most belong. */
function placeOf({ dueMs }: Entry, waiting: readonly Entry[]): number {
  return waiting.findLastIndex((other) => other.dueMs <= dueMs) + 1
}
