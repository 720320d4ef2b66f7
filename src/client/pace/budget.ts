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
 */
export function createBudget(limit: number | undefined, reserve: () => number, before = 0): Budget {
  let spent = before
  const check = (cleanup: boolean) => {
    if (limit !== undefined && !cleanup && spent + reserve() >= limit) throw new BudgetSpent(limit)
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
