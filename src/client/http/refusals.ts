import { isLimited } from './retry.ts'
import { retryAfter } from './retry-after.ts'
import type { Exchange } from '../types.ts'

/** Refusals in a row of requests that were sent again as told, after which the header of that key is no longer believed. */
const mostLies = 12

/** After how many refusals, each behind the pause that was asked for, cleanup stops waiting, */
const mostInCleanup = 6
/** and how many milliseconds after the first of them at least. */
const longestInCleanup_ms = 60_000

/** Knows of keys that are refused for their rate again and again, though each pause that was asked for was made. */
export interface Refusals {
  /** @param attempt of its request, from 1 */
  heard(key: string, answer: Exchange, attempt: number): void
  /** Whether it was in vain for so long to wait until the key is admitted that it need not go on. */
  doubted(key: string, asker: { readonly cleanup: boolean }): boolean
}

interface Streak {
  readonly since: number
  /** Refusals behind a pause: of requests that were sent again, and of all. */
  readonly again: number
  readonly waited: number
  /** When the next request may go out, as the last answer said. */
  readonly due: number
}

/** @param now milliseconds of the run */
export function createLimits(now: () => number): Refusals {
  const streaks = new Map<string, Streak>()
  return {
    heard: (key, answer, attempt) => {
      const at = now()
      if (!isLimited(answer)) {
        streaks.delete(key)
        return
      }
      const { since, again, waited, due } = streaks.get(key) ?? { since: at, again: 0, waited: 0, due: Infinity }
      streaks.set(key, {
        since,
        again: again + (attempt > 1 ? 1 : 0),
        waited: waited + (at >= due ? 1 : 0),
        due: at + (retryAfter(answer.headers, Date.now()) ?? Infinity),
      })
    },
    doubted: (key, { cleanup }) => {
      const { again = 0, waited = 0, since = Infinity } = streaks.get(key) ?? {}
      return again >= mostLies || (cleanup && waited >= mostInCleanup && now() - since >= longestInCleanup_ms)
    },
  }
}
