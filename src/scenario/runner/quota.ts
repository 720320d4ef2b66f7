import type { Exchange } from '#client/types'
import type { Holders } from './holders.ts'
import type { Pool } from './pool.ts'

/** Workspace concurrency limit exceeded (section 7): no Retry-After; wait until a session has ended. */
export const quotaCode = 30006

/** "Platform model capacity insufficient", to be asked for again (section 7). */
export const capacityCode = 30008

export interface QuotaWait {
  /** Sessions of the scenario that waits. */
  readonly own: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Sends the same create again. */
  readonly again: () => Promise<Exchange>
  /** Finds out who holds the places. */
  readonly holders: () => Promise<Holders>
  /** How long to wait for others, after the last change on our side. */
  readonly patience_ms: number
  /** How long a session may take from its close to its end, and how far what is read may lag. */
  readonly closed_ms: number
  readonly lag_ms: number
}

/**
 * Waits out 30006. One scenario a workspace asks at a time. While our own sessions hold the places, asking is of little
 * use, so it waits for one of them to end. Once somebody has waited in vain, nobody else waits until a place comes free.
 *
 * @returns the first answer that is not 30006, or undefined when patience is over.
 */
export async function waitOut(pool: Pool, options: QuotaWait): Promise<Exchange | undefined> {
  pool.full()
  const done = await pool.turn()
  try {
    if (pool.starved && pool.open <= options.own()) return undefined
    const answer = await askAgain(pool, options)
    if (answer === undefined) pool.markStarved(options.own())
    return answer
  } finally {
    done()
  }
}

async function askAgain(pool: Pool, options: QuotaWait): Promise<Exchange | undefined> {
  let [quiet, seen, round] = [performance.now(), pool.changes, 0]
  let holders: Holders | undefined
  while (performance.now() - quiet < patience(pool, options, holders)) {
    await options.wait(backOff(round, options.patience_ms))
    const changed = pool.changes !== seen
    round = changed ? 0 : round + 1
    if (changed) [quiet, seen, holders] = [performance.now(), pool.changes, undefined]
    const ours = pool.open > options.own()
    if (!changed && ours && round % 4 !== 3) continue
    const answer = await options.again()
    if (answer.code !== quotaCode) return answer
    if (!ours && performance.now() - quiet > options.lag_ms) holders ??= await options.holders()
  }
  return undefined
}

/** Ours will end in time, others' may not; where nobody holds a place that anybody could leave, waiting is of no use. */
function patience(
  pool: Pool,
  { own, patience_ms, closed_ms, lag_ms }: QuotaWait,
  holders: Holders | undefined,
): number {
  if (pool.open > own()) return patience_ms * 4
  if (holders === 'stuck' || holders === 'nobody') return 2 * lag_ms
  if (holders === 'ending') return Math.min(patience_ms, closed_ms + lag_ms)
  return patience_ms
}

/** 0.5, 1, 2, 4, then 5 seconds, for a patience of a minute. */
function backOff(round: number, patience_ms: number): number {
  return Math.min(2 ** round / 120, 1 / 12) * patience_ms
}
