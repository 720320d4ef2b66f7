import { startDeadline } from '../deadline.ts'
import type { Frame } from '../types.ts'

/** Waits for frames by events, not by polling. */
export interface Watchers {
  /** Resolves to the first fitting frame, or undefined after `ms` or at the end; rejects when the signal is aborted. */
  watch(ms: number, fits: (frame: Frame) => boolean): Promise<Frame | undefined>
  offer(frame: Frame): void
  /** Nothing will come any more. */
  end(): void
  fail(error: Error): void
}

interface Watcher {
  readonly fits: (frame: Frame) => boolean
  readonly done: (frame: Frame | undefined) => void
  readonly fail: (error: Error) => void
}

export function createWatchers(): Watchers {
  const waiting = new Set<Watcher>()

  function watch(ms: number, fits: Watcher['fits']): Promise<Frame | undefined> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        over()
        waiting.delete(watcher)
      }
      const watcher: Watcher = {
        fits,
        done: (frame) => {
          leave()
          resolve(frame)
        },
        fail: (error) => {
          leave()
          reject(error)
        },
      }
      const over = startDeadline(ms, () => watcher.done(undefined))
      waiting.add(watcher)
    })
  }

  return {
    watch,
    offer: (frame) => {
      for (const watcher of waiting) if (watcher.fits(frame)) watcher.done(frame)
    },
    end: () => {
      for (const watcher of waiting) watcher.done(undefined)
    },
    fail: (error) => {
      for (const watcher of waiting) watcher.fail(error)
    },
  }
}
