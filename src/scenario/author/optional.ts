import type { RequirementId } from '#spec/register'
import type { AnyContext } from './context.ts'
import { type Refusal, rowsOfRefusals } from './expectation.ts'

/** Requests of a scenario that a run may leave out, with all that only they show, to spend less. */
export interface Optional {
  /** Unique within the scenario: by it others need this, and the scenario asks whether to do it. */
  readonly id: string
  /** Rows that nothing else of the scenario shows, other optional requests that name them in `also` apart. */
  readonly rows: readonly RequirementId[]
  /** Rows that the rest of the scenario shows as well, and of which this shows more. */
  readonly also?: readonly RequirementId[]
  readonly requests: number
  /** Ids of what has to be done for it, such as its positive controls. */
  readonly needs?: readonly string[]
}

/**
 * Tables of refusals, each of which is one request. A refusal is a positive control for nothing, so that a run may leave it
 * out; those that share a row stay together, since the refusals of a row are sent together or not at all.
 */
export function optionalRefusals(...tables: readonly (readonly Refusal<RequirementId>[])[]): readonly Optional[] {
  return refusalsNeeding(() => [], ...tables)
}

/** The same of refusals that stand on something optional. @param needed ids of what a refusal stands on */
export function refusalsNeeding<One extends Refusal<RequirementId>>(
  needed: (refusal: One) => readonly string[],
  ...tables: readonly (readonly One[])[]
): readonly Optional[] {
  const groups: Group[] = []
  for (const refusal of tables.flat()) {
    const group = { rows: new Set(rowsOfRefusals([refusal])), requests: 1, needs: new Set(needed(refusal)) }
    const joined = groups.filter(({ rows }) => !rows.isDisjointFrom(group.rows))
    const [first, ...others] = joined
    const all = mergedOf([...joined, group])
    if (first === undefined) groups.push(all)
    else groups[groups.indexOf(first)] = all
    for (const other of others) groups.splice(groups.indexOf(other), 1)
  }
  return groups.map(({ rows, requests, needs }) => {
    const [id = ''] = rows
    return { id, rows: [...rows], requests, ...(needs.size === 0 ? {} : { needs: [...needs] }) }
  })
}

/** Refusals that share rows, with what any of them stands on. */
interface Group {
  readonly rows: ReadonlySet<RequirementId>
  readonly requests: number
  readonly needs: ReadonlySet<string>
}

function mergedOf(all: readonly Group[]): Group {
  return {
    rows: new Set(all.flatMap(({ rows }) => [...rows])),
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    needs: new Set(all.flatMap(({ needs }) => [...needs])),
  }
}

/** Those of a table that this run sends: all, unless it leaves out what they claim. */
export function sentOf<const One extends Refusal<RequirementId>>(
  { leavesOut }: Pick<AnyContext, 'leavesOut'>,
  table: readonly One[],
): readonly One[] {
  return table.filter((one) => !rowsOfRefusals([one]).every(leavesOut))
}

/** Rows that several show belong to the first of them, and the others show more of them. */
export function eachRowOnce(optional: readonly Optional[]): readonly Optional[] {
  const seen = new Set<RequirementId>()
  return optional.map(({ rows, also = [], ...rest }) => {
    const [own, others] = [new Set(rows).difference(seen), new Set(rows).intersection(seen).union(new Set(also))]
    for (const row of own) seen.add(row)
    return { ...rest, rows: [...own], ...(others.size === 0 ? {} : { also: [...others] }) }
  })
}

/** What shows something of a row, with all that it needs; empty where only the rest of the scenario does. */
export function optionalFor(
  optional: readonly Optional[],
  isWanted: (row: RequirementId) => boolean,
): ReadonlySet<Optional> {
  const wanted = optional.filter(({ rows, also = [] }) => [...rows, ...also].some(isWanted))
  return withNeeded(optional, wanted)
}

/** The same with all that these stand on, among the first ones. */
export function withNeeded(optional: readonly Optional[], wanted: readonly Optional[]): ReadonlySet<Optional> {
  const all = new Set(wanted)
  for (const { needs = [] } of all) for (const one of optional) if (needs.includes(one.id)) all.add(one)
  return all
}
