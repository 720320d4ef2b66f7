import { partOf } from '#spec/part-of'
import { type RequirementId, requirements } from '#spec/register'
import { type Optional, withNeeded } from '../author/optional.ts'
import type { Scenario } from '../author/scenario.ts'
import { nearest } from './nearest.ts'
import { leftOutBut, type Selection, type Skipped, UnknownSelection } from './selection.ts'

/** What `--skip` leaves out: requirements, scenarios or parts, by their ids. */
export interface Skip {
  readonly names: ReadonlySet<string>
  readonly rows: ReadonlySet<string>
}

/** @throws UnknownSelection */
export function skipOf(names: readonly string[], scenarios: readonly Scenario[]): Skip {
  const rows = [...requirements.keys()]
  const known = new Set([...rows, ...scenarios.map(({ id }) => id)])
  for (const id of known) known.add(partOf(id))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) throw new UnknownSelection(unknown, nearest(unknown, known))
  const named = new Set(names)
  return { names: named, rows: new Set(rows.filter((row) => named.has(row) || named.has(partOf(row)))) }
}

/** Without the scenarios that are named, those of parts that are, and those that show only what is. */
export function withoutScenarios(all: Selection, skip: Skip): Selection {
  const out = new Map(all.selected.flatMap((one) => whySkipped(one, skip) ?? []))
  // What is driven together on one session is driven apart where some of it is left out.
  const isOut = ({ id, joins = [] }: Scenario): boolean => out.has(id) || joins.some((joined) => out.has(joined))
  const skipped = all.selected.flatMap((scenario): readonly Skipped[] => {
    const name = out.get(scenario.id)
    return name === undefined ? [] : [{ scenario, why: 'tier', what: `--skip ${name}` }]
  })
  return { ...all, selected: all.selected.filter((one) => !isOut(one)), skipped: [...skipped, ...all.skipped] }
}

/** Without the requests of other scenarios that are sent for nothing else than what is named. */
export function withoutRequests(selection: Selection, { names, rows }: Skip): Selection {
  const { selected, skipped, left_out = {} } = selection
  const kept = selected.map((one) => {
    const before = left_out[one.id]?.ids ?? []
    return [one.id, keptOf(one.optional ?? [], new Set(before), rows)] as const
  })
  const less = leftOutBut(new Map(kept), selected)
  const shortened = selected.flatMap((scenario): readonly Skipped[] => {
    const mine = less[scenario.id]?.rows.filter((row) => rows.has(row)) ?? []
    const [name] = mine.flatMap((row) => [row, partOf(row)]).filter((one) => names.has(one))
    return name === undefined ? [] : [{ scenario, why: 'tier', what: `--skip ${name}`, rows: mine }]
  })
  return { ...selection, left_out: less, skipped: [...shortened, ...skipped] }
}

/** Named rows that what is driven may show all the same: what is seen of them is judged. */
export function stillSeen(
  { selected, left_out = {} }: Pick<Selection, 'selected' | 'left_out'>,
  { rows }: Skip,
): readonly RequirementId[] {
  const seen = selected.flatMap(({ id, proves }) => {
    const out = new Set<string>(left_out[id]?.rows)
    return proves.filter((row) => rows.has(row) && !out.has(row))
  })
  return [...new Set(seen)]
}

function whySkipped({ id, proves }: Scenario, { names, rows }: Skip): readonly [readonly [string, string]] | undefined {
  const name = [id, partOf(id)].find((one) => names.has(one))
  if (name !== undefined) return [[id, name]]
  const [first] = proves
  if (first === undefined || !proves.every((row) => rows.has(row))) return undefined
  return [[id, names.has(first) ? first : partOf(first)]]
}

/** What others stand on that are done is done as well. */
function keptOf(
  all: readonly Optional[],
  before: ReadonlySet<string>,
  skipped: ReadonlySet<string>,
): ReadonlySet<Optional> {
  const done = all.filter(({ id }) => !before.has(id))
  const kept = done.filter(({ rows }) => rows.length === 0 || !rows.every((row) => skipped.has(row)))
  return withNeeded(done, kept)
}
