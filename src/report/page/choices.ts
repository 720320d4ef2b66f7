import type { Results } from '#judge/results'
import { type Html, html } from '#page/html'
import { folded, table } from '#page/parts'
import { printable } from '#text/printable'
import { seenTexts } from '../choice-text.ts'
import { partOf } from '#spec/part-of'

/** What the interface leaves open, and what this target does. */
export function choices({ choices: list }: Results): Html {
  if (list.length === 0) return html`<p>Nothing was seen that the interface leaves open.</p>`
  const parts = [...Map.groupBy(list, ({ id }) => partOf(id))]
  const columns = [{ title: 'Choice' }, { title: '§' }, { title: 'Seen' }]
  return html`<p>Reported, never judged.</p>${parts.map(([part, own]) => {
    const rows = own.map(({ id, section, observed }) => [
      html`<span class="mono">${printable(id)}</span>`,
      printable(section),
      printable(observed.length === 0 ? 'nothing' : seenTexts(observed).join('; '), 300),
    ])
    return folded(`${printable(part)}: ${own.length}`, table(`What the interface leaves open: ${part}`, columns, rows))
  })}`
}
