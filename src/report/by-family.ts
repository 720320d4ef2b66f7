import { familyOf } from '#spec/register'

/** What stands on one line: a row, or rows of one family that are alike. */
export interface FamilyLine<Row> {
  /** `voices.clone.language-*-accepted (16)`, or the id of the only row. */
  readonly name: string
  /** What the rows of the family say, with a star for the words in which they differ; undefined for a single row. */
  readonly text: string | undefined
  readonly rows: readonly [Row, ...Row[]]
}

type Alike<Row> = (row: Row) => unknown

/**
 * The rows in their order, those of a family together where the first of them stands, if all of them are alike; else each
 * of them by itself.
 */
export function byFamily<Row extends { readonly id: string }>(
  rows: readonly Row[],
  alike: Alike<Row> = () => '',
): readonly FamilyLine<Row>[] {
  const groups = Map.groupBy(rows, ({ id }) => familyOf(id)?.name ?? id)
  return [...groups.values()].flatMap((group) => lineOf(group, alike) ?? group.map(alone))
}

/** The same, but part of a family is listed row by row. */
export function byWholeFamily<Row extends { readonly id: string }>(
  rows: readonly Row[],
  alike: Alike<Row>,
): readonly FamilyLine<Row>[] {
  return byFamily(rows, alike).flatMap((line) => (isWhole(line) ? [line] : line.rows.map(alone)))
}

const namesShown = 3

/** The first few names, and how many rows there are beside them: `voices.get.name, voices.clone.* (16) and 4 more`. */
export function fewNames(rows: readonly { readonly id: string }[], show: (name: string) => string): string {
  const shown = byFamily(rows).slice(0, namesShown)
  const more = rows.length - shown.reduce((sum, line) => sum + line.rows.length, 0)
  return shown.map(({ name }) => show(name)).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function alone<Row extends { readonly id: string }>(row: Row): FamilyLine<Row> {
  return { name: row.id, text: undefined, rows: [row] }
}

function isWhole<Row extends { readonly id: string }>({ rows }: FamilyLine<Row>): boolean {
  return rows.length === 1 || rows.length === familyOf(rows[0].id)?.ids.length
}

function lineOf<Row extends { readonly id: string }>(
  group: readonly Row[],
  alike: Alike<Row>,
): FamilyLine<Row> | undefined {
  const [first, ...others] = group
  const family = first === undefined ? undefined : familyOf(first.id)
  if (first === undefined || family === undefined || others.length === 0) return undefined
  if (others.some((row) => alike(row) !== alike(first))) return undefined
  const { name, text, ids } = family
  const of = group.length === ids.length ? '' : ` of ${ids.length}`
  return { name: `${name} (${group.length}${of})`, text, rows: [first, ...others] }
}
