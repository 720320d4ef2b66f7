import { retryAfter } from './retry-after.ts'
import type { Exchange } from '../types.ts'

/** Refusals in a row of requests that were sent again as told, after which the header of that key is no longer believed. */
const mostLies = 12

/** Cleanup waits no longer after so many refusals, each behind the pause that was asked for, over so many milliseconds. */
const many = 6
const long_ms = 60_000

/** Knows of keys that are refused for their rate again and again, though each pause that was asked for was made. */
export interface Refusals {
  /** @param attempt of its request, from 1 */
  heard(key: string, answer: Exchange, attempt: number): void
  /** Whether it was in vain for so long to wait until the key is admitted that it need not go on. */
  doubted(key: string, asker: { readonly cleanup: boolean }): boolean
}

interface Row {
  readonly since: number
  /** Refusals behind a pause: of requests that were sent again, and of all. */
  readonly again: number
  readonly waited: number
  /** When the next request may go out, as the last answer said. */
  readonly due: number
}

/** @param now milliseconds of the run */
export function createRefusals(now: () => number): Refusals {
  const rows = new Map<string, Row>()
  return {
    heard: (key, answer, attempt) => {
      const at = now()
      if (answer.code !== 10008 && answer.status !== 429) {
        rows.delete(key)
        return
      }
      const { since, again, waited, due } = rows.get(key) ?? { since: at, again: 0, waited: 0, due: Infinity }
      rows.set(key, {
        since,
        again: again + (attempt > 1 ? 1 : 0),
        waited: waited + (at >= due ? 1 : 0),
        due: at + (retryAfter(answer.headers, Date.now()) ?? Infinity),
      })
    },
    doubted: (key, { cleanup }) => {
      const { again = 0, waited = 0, since = Infinity } = rows.get(key) ?? {}
      return again >= mostLies || (cleanup && waited >= many && now() - since >= long_ms)
    },
  }
}
