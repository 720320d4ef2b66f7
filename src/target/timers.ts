/** A timer that has been set; cancelling twice, or after it rang, does nothing. */
export interface Timer {
  cancel(): void
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

export function createTimers(): Timers {
  const running = new Set<NodeJS.Timeout>()
  let stopped = false
  const after = (ms: number, task: () => void): Timer => {
    if (stopped || ms > LONGEST_DELAY) return { cancel: () => undefined }
    const handle = setTimeout(() => {
      running.delete(handle)
      task()
    }, ms)
    running.add(handle)
    const cancel = (): void => {
      running.delete(handle)
      clearTimeout(handle)
    }
    return { cancel }
  }
  return {
    after,
    wait: (ms) => (ms <= 0 ? Promise.resolve() : new Promise((resolve) => void after(ms, resolve))),
    stop: () => {
      stopped = true
      for (const handle of running) clearTimeout(handle)
      running.clear()
    },
  }
}
