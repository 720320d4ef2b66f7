import { BudgetSpent } from '../errors.ts'

/** Who sends: what ends what was made always may, and what only looks may have what is kept back for that. */
export type Spender = 'run' | 'look' | 'cleanup'

/** Counts requests against what the run may send. */
export interface Budget {
  /** @throws BudgetSpent when only cleanup may go on, or a look when nothing at all is left. */
  check(spender: Spender): void
  /** Counts a request that is sent at once. @throws BudgetSpent as `check` does */
  spend(spender: Spender): void
  readonly spent: number
}

/**
 * @param reserve requests to keep back for cleanup, as of now
 * @param before what other processes of the run sent
 * @param enough once it is aborted all is spent; why, is its reason
 */
export function createBudget(
  limit: number | undefined,
  reserve: () => number,
  before = 0,
  enough?: AbortSignal,
): Budget {
  let spent = before
  const check = (spender: Spender) => {
    if (spender === 'cleanup') return
    if (spender === 'run' && enough?.aborted === true) throw new BudgetSpent(String(enough.reason))
    if (limit === undefined || spent + (spender === 'run' ? reserve() : 0) < limit) return
    throw new BudgetSpent(`The run may send ${limit} requests, and they are spent`)
  }
  return {
    check,
    spend: (spender) => {
      check(spender)
      spent += 1
    },
    get spent() {
      return spent
    },
  }
}
