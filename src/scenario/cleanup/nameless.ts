import type { OperationId } from '#spec/tables'

/** After how many repeated creates of an operation in a row that succeed without telling an id we stop repeating them. */
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
