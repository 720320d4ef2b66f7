import type { WaitEntry } from '#trace/entry'
import { RunAborted } from '../errors.ts'

/** Time as pace and retries see it. */
export interface Clock {
  /** Milliseconds since the run began. */
  now(): number
  /**
   * @param why where it is known
   * @throws RunAborted as soon as the signal is.
   */
  sleep(ms: number, signal: AbortSignal | undefined, why?: WaitEntry['why']): Promise<void>
}

/** @param now milliseconds since the run began */
export function realClock(now: () => number): Clock {
  return { now, sleep }
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new RunAborted())
      return
    }
    const stop = () => {
      clearTimeout(timer)
      reject(new RunAborted())
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Resolves with the promise, or rejects as soon as the signal is aborted. */
export function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(new RunAborted())
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
