import { BudgetSpent } from '../errors.ts'

/** Counts requests against what the run may send. */
export interface Budget {
  /** @throws BudgetSpent when only cleanup may go on. */
  check(cleanup: boolean): void
  /** Counts a request that is sent at once. @throws BudgetSpent as `check` does */
  spend(cleanup: boolean): void
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
  const check = (cleanup: boolean) => {
    if (cleanup) return
    if (enough?.aborted === true) throw new BudgetSpent(String(enough.reason))
    if (limit === undefined || spent + reserve() < limit) return
    throw new BudgetSpent(`The run may send ${limit} requests, and they are spent`)
  }
  return {
    check,
    spend: (cleanup) => {
      check(cleanup)
      spent += 1
    },
    get spent() {
      return spent
    },
  }
}
