import type { Exchange } from '../client/types.ts'
import type { Pool } from './pool.ts'

/** Workspace concurrency limit exceeded (section 7): no Retry-After; wait until a session has ended. */
export const quotaCode = 30006

export interface QuotaWait {
  /** Sessions of the scenario that waits. */
  readonly own: () => number
  readonly wait: (ms: number) => Promise<void>
  /** Sends the same create again. */
  readonly again: () => Promise<Exchange>
  /** How long to wait for others, after the last change on our side. */
  readonly patience_ms: number
}

/**
 * Waits out 30006. One scenario a workspace asks at a time. While our own sessions hold the places, asking is of little
 * use, so it waits for one of them to end.
 *
 * @returns the first answer that is not 30006, or undefined when patience is over.
 */
export async function waitOut(pool: Pool, options: QuotaWait): Promise<Exchange | undefined> {
  pool.full()
  const done = await pool.turn()
  try {
    const answer = await askAgain(pool, options)
    if (answer === undefined) pool.starved(options.own())
    return answer
  } finally {
    done()
  }
}

async function askAgain(pool: Pool, options: QuotaWait): Promise<Exchange | undefined> {
  let quiet = performance.now()
  let seen = pool.changes
  for (let round = 0; performance.now() - quiet < patience(pool, options); round += 1) {
    await options.wait(backOff(round, options.patience_ms))
    const changed = pool.changes !== seen
    if (changed) {
      quiet = performance.now()
      seen = pool.changes
      round = 0
    }
    if (!changed && pool.open > options.own() && round % 4 !== 3) continue
    const answer = await options.again()
    if (answer.code !== quotaCode) return answer
  }
  return undefined
}

/** Ours will end in time, others' may not; after one wait in vain the next ones are short. */
function patience(pool: Pool, options: QuotaWait): number {
  if (pool.open > options.own()) return options.patience_ms * 4
  return pool.starving ? options.patience_ms / 20 : options.patience_ms
}

/** 0.5, 1, 2, 4, then 5 seconds, for a patience of a minute. */
function backOff(round: number, patience_ms: number): number {
  return Math.min(2 ** round / 120, 1 / 12) * patience_ms
}
