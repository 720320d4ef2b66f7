import { type Results, verdicts } from '#judge/results'
import { type Html, html } from '#page/html'
import { type Cell, table } from '#page/parts'
import { printable } from '#text/printable'
import { type Counts, countAll, countByPart } from '../counts.ts'
import { verdictName } from './verdict-badge.ts'

/** How many requirements of each part came to which verdict. */
export function partsMatrix(results: Results): Html {
  const columns = [{ title: 'Part' }, ...verdicts.map((verdict) => ({ title: verdictName(verdict), numeric: true }))]
  const row = (name: Cell, counts: Counts): readonly Cell[] => [
    name,
    ...verdicts.map((verdict) => cell(verdict, counts[verdict])),
  ]
  const parts = [...countByPart(results)].map(([part, counts]) =>
    row(html`<a href="#part-${part}">${printable(part)}</a>`, counts),
  )
  return table('Requirements by part and verdict', columns, [
    ...parts,
    row(html`<strong>All</strong>`, countAll(results)),
  ])
}

function cell(verdict: (typeof verdicts)[number], count: number): Cell {
  if (count === 0) return html`<span class="soft">·</span>`
  return verdict === 'pass' ? String(count) : html`<span class="count ${verdict}">${count}</span>`
}
