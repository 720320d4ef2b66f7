import type { RequirementId } from '#spec/register'
import { type Explained, explain, leastOf } from '../orders/orders.ts'
import type { Report } from '../rule.ts'
import type { TraceIndex } from '../trace-index.ts'
import { type Keyed, type KeyedOperations, keyedIn } from './keyed-deeds.ts'
import { differsInside } from './bodies.ts'
import { type Deed, keyModel, type KeyPromise, type State } from './key-model.ts'

/** What one operation promises about keys, and the rows that say so; without a row another rule says it. */
export interface KeyRows extends KeyedOperations, KeyPromise {
  readonly rows: {
    /** Sent again, one after the other. */
    readonly again?: RequirementId
    /** Sent at once. */
    readonly atOnce?: RequirementId
    /** Sent again with another body. */
    readonly otherBody?: RequirementId
    /** With a body that is another one inside of its optional members alone; by default as any other body. */
    readonly otherInside?: RequirementId
  }
}

/** Holds what was done with idempotency keys against what the operation promises, in whatever order it ran. */
export function judgeKeys(trace: TraceIndex, operation: KeyRows, report: Report): void {
  for (const keyed of keyedIn(trace, operation)) judgeKey(keyed, operation, report)
}

type Broken = Extract<Explained<State>, { is: 'broken' }>

function judgeKey({ deeds }: Keyed, operation: KeyRows, report: Report): void {
  const model = keyModel(operation)
  const found = explain(deeds, model)
  if (found.is === 'overflow') return
  const last = found.is === 'broken' ? deeds[found.place] : undefined
  for (const [place, before] of found.believed) {
    const deed = deeds[place]
    if (deed !== undefined && deed !== last) credit(deed, before, { deeds, operation, report })
  }
  if (found.is === 'broken' && last !== undefined) tell(found, last, { deeds, operation, report })
}

interface Setting {
  readonly deeds: readonly Deed[]
  readonly operation: KeyRows
  readonly report: Report
}

/** A key that is taken for sure, and gave the same again. */
function credit(deed: Deed, before: readonly State[], { deeds, operation: { rows }, report }: Setting): void {
  const sure = before.every((state) => state.is === 'taken' && !state.ended && state.id === deed.id)
  const row = isBesides(deed, deeds) ? rows.atOnce : rows.again
  const known = sure || (isBesides(deed, deeds) && before.every((state) => state.is === 'free' || state.id === deed.id))
  if (known && row !== undefined) report.held(row, ...deed.lines)
}

function tell(found: Broken, last: Deed, { deeds, operation, report }: Setting): void {
  const row = rowFor(last, found.believed.get(found.place) ?? [], { deeds, operation })
  if (row === undefined) return
  const model = keyModel(operation)
  const shortest = leastOf(deeds, found.place, (shorter) => {
    const again = explain(shorter, model)
    return again.is === 'broken' && shorter[again.place] === last
  })
  const ids = new Set(deeds.filter((deed) => deed !== last).flatMap(({ id }) => id ?? []))
  report.broken(row, {
    expected:
      row === operation.rows.otherBody || row === operation.rows.otherInside
        ? 'a conflict: the key was used with another body'
        : `the session that the key stands for: ${[...ids].join(' or ')}`,
    got: `the session ${last.id}`,
    lines: shortest.flatMap(({ lines }) => lines).toSorted((one, other) => one - other),
    scenario: last.scenario,
  })
}

function rowFor(
  last: Deed,
  before: readonly State[],
  { deeds, operation: { rows, comparesBodies } }: Pick<Setting, 'deeds' | 'operation'>,
): RequirementId | undefined {
  const other = before.every((state) => state.is === 'taken' && state.body !== last.body)
  if (comparesBodies && other) {
    const inside = before.every((state) => state.is === 'taken' && differsInside(state.body, last.body))
    return inside ? (rows.otherInside ?? rows.otherBody) : rows.otherBody
  }
  return isBesides(last, deeds) ? rows.atOnce : rows.again
}

function isBesides(deed: Deed, deeds: readonly Deed[]): boolean {
  const creates = deeds.filter(({ did, until }) => did === 'create' && Number.isFinite(until))
  return creates.some((other) => other !== deed && other.from < deed.until && deed.from < other.until)
}
