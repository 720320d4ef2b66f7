import type { RequirementId } from '#spec/register'
import { type RowOf, rowsOf } from '#spec/rows'

/** Id of a row of this part, without the part's name. */
export type Row = RowOf<'control-channel'>

/** Rows of this part by subject: `{ 'item-delete': 'answered once' }`. */
export const rows = rowsOf<Row>()

/** One row or several, of those that a talk may claim. */
export type Rows<R extends Row> = NoInfer<R> | readonly NoInfer<R>[]

export function fullId(row: Row): RequirementId {
  const known = fullIds.get(row)
  if (known !== undefined) return known
  const id: RequirementId = `control-channel.${row}`
  fullIds.set(row, id)
  return id
}

/** A text that was just put together is slow to look up. */
const fullIds = new Map<Row, RequirementId>()

/** Rows of a table whose lines begin with one. */
export const rowsIn = <R extends Row>(
  table: readonly (readonly [row: R, ...rest: readonly unknown[]])[],
): readonly R[] => table.map(([row]) => row)
