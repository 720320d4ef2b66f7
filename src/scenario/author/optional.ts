import type { RequirementId } from '#spec/register'
import type { AnyContext } from './context.ts'
import { type Refusal, rowsOfRefusals } from './expectation.ts'

/** Requests of a scenario on which nothing else of it rests, and all that only they claim: left out together to spend less. */
export interface Optional {
  readonly rows: readonly RequirementId[]
  readonly requests: number
}

/**
 * Tables of refusals, each of which is one request. A refusal has its positive control and is one for nothing, so that a
 * run may leave it out; those that share a row stay together, since a row is claimed whole or not at all.
 */
export function optionalRefusals(...tables: readonly (readonly Refusal<RequirementId>[])[]): readonly Optional[] {
  const groups: { rows: Set<RequirementId>; requests: number }[] = []
  for (const refusal of tables.flat()) {
    const rows = new Set(rowsOfRefusals([refusal]))
    const [first, ...others] = groups.filter((group) => !group.rows.isDisjointFrom(rows))
    if (first === undefined) {
      groups.push({ rows, requests: 1 })
      continue
    }
    for (const row of [...rows, ...others.flatMap((other) => [...other.rows])]) first.rows.add(row)
    first.requests += 1 + others.reduce((sum, { requests }) => sum + requests, 0)
    for (const other of others) groups.splice(groups.indexOf(other), 1)
  }
  return groups.map(({ rows, requests }) => ({ rows: [...rows], requests }))
}

/** Those of a table that this run sends: all, unless it leaves out what they claim. */
export function sentOf<const One extends Refusal<RequirementId>>(
  { leavesOut }: Pick<AnyContext, 'leavesOut'>,
  table: readonly One[],
): readonly One[] {
  return table.filter((one) => !rowsOfRefusals([one]).every(leavesOut))
}
