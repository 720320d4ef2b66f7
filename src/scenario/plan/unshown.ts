import type { Finds } from './finds.ts'
import { isMeant } from './is-meant.ts'
import { rowOf } from './known.ts'
import type { Selection } from './selection.ts'

/** Those of the rows of which a mistake is known, and no scenario that shows it alone. */
export function unshownRows(rows: Iterable<string>, { mistakes }: Finds): ReadonlySet<string> {
  const unshown = Object.entries(mistakes).filter(([, by]) => by.length === 0)
  return new Set(unshown.map(([mistake]) => rowOf(mistake))).intersection(new Set(rows))
}

/** Nobody knows what shows such a row: what can show anything of it leaves nothing out. */
export function wholeWhereUnshown(selection: Selection, unshown: ReadonlySet<string>): Selection {
  const { selected, left_out = {} } = selection
  const whole = new Set(selected.filter((one) => [...unshown].some((row) => isMeant(one, row))).map(({ id }) => id))
  const left = Object.entries(left_out).filter(([id]) => !whole.has(id))
  return { ...selection, left_out: Object.fromEntries(left) }
}
