import { type Html, html } from '#page/html'
import { number } from '#page/numbers'
import { type Cell, table } from '#page/parts'
import { printable } from '#text/printable'
import { type Column, columns as counted, type Counts, countAll, countByPart } from '../counts.ts'
import type { ShownRun } from './shown-run.ts'
import { columnName } from './verdict-badge.ts'

/** How many requirements of each part came to which verdict. */
export function partsMatrix({ results, unlisted = false }: Pick<ShownRun, 'results' | 'unlisted'>): Html {
  const columns = [{ title: 'Part' }, ...counted.map((column) => ({ title: columnName(column), numeric: true }))]
  const row = (name: Cell, counts: Counts): readonly Cell[] => [
    name,
    ...counted.map((column) => cell(column, counts[column])),
  ]
  const parts = [...countByPart(results)].map(([part, counts]) =>
    row(unlisted ? printable(part) : html`<a href="#part-${part}">${printable(part)}</a>`, counts),
  )
  return table('Requirements by part and verdict', columns, [
    ...parts,
    row(html`<strong>All</strong>`, countAll(results)),
  ])
}

function cell(column: Column, count: number): Cell {
  if (count === 0) return html`<span class="soft">·</span>`
  return column === 'pass' ? number(count) : html`<span class="count ${column}">${number(count)}</span>`
}
