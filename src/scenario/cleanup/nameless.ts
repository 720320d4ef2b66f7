import type { OperationId } from '#spec/tables'

/** So many creates of an operation that were sent again, and answered one after another with success and without an id. */
const most = 3

/** Knows whether creates that are sent again still bring the ids that they are sent for. */
export interface Nameless {
  /** A create was sent again and answered. @param told whether the answer says what became of it */
  heard(operation: OperationId, told: boolean): void
  /** Whether another create of the operation would tell as little. */
  expected(operation: OperationId): boolean
}

export function createNameless(): Nameless {
  const counts = new Map<OperationId, number>()
  return {
    heard: (operation, told) => void counts.set(operation, told ? 0 : (counts.get(operation) ?? 0) + 1),
    expected: (operation) => (counts.get(operation) ?? 0) >= most,
  }
}
