import { performance } from 'node:perf_hooks'

/**
 * The moment at which a run begins, in milliseconds: wall-clock time of this process's start plus its monotonic clock.
 * Handed to other processes of the same run, so that their entries stand on one time line.
 */
export function runEpoch(): number {
  return performance.timeOrigin + performance.now()
}

export interface ClockOptions {
  /** Never shows less; default 0. */
  readonly notBefore?: number
  /** Milliseconds that were skipped so far; default none. */
  readonly skippedMs?: (() => number) | undefined
}

/** Milliseconds since the epoch, at most 3 decimals. Monotonic within a process; a clock set back shows as standstill. */
export function clockSince(epoch: number, { notBefore = 0, skippedMs = () => 0 }: ClockOptions = {}): () => number {
  let last = notBefore
  return () => {
    const now = Math.round((runEpoch() - epoch + skippedMs()) * 1000) / 1000
    last = Math.max(last, now)
    return last
  }
}
