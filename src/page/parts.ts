import { type Html, html, nothing } from './html.ts'

export type Cell = Html | string | number

export interface Column {
  readonly title: string
  /** Aligned by their last digit. */
  readonly numeric?: boolean
}

/** A table that scrolls by itself where it is wider than the page. The first cell of a row names it. */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): Html {
  const kind = ({ numeric }: Column): string => (numeric === true ? 'number' : 'text')
  const cells = (row: readonly Cell[]): readonly Html[] =>
    columns.map((column, index) => {
      const cell = row[index] ?? ''
      return index === 0
        ? html`<th scope="row" class="${kind(column)}">${cell}</th>`
        : html`<td class="${kind(column)}">${cell}</td>`
    })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col" class="${kind(column)}">${column.title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`
}

/** Something that opens. */
export function folded(
  summary: Cell,
  body: Html,
  options: { readonly open?: boolean; readonly id?: string } = {},
): Html {
  const id = options.id === undefined ? nothing : html` id="${options.id}"`
  return html`<details${id}${options.open === true ? html` open` : nothing}><summary>${summary}</summary>${body}</details>`
}

/** A sentence with names of fields and events between backquotes. */
export function prose(text: string): Html {
  const pieces = text.split('`')
  // An odd number of backquotes is no markup.
  if (pieces.length % 2 === 0) return html`${text}`
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`))}`
}

/** "1 session", "2 sessions". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

export interface Figure {
  readonly name: string
  readonly value: Cell
  readonly note?: string
}

/** The few numbers that matter, large. */
export function figures(list: readonly Figure[]): Html {
  const one = ({ name, value, note }: Figure): Html =>
    html`<div><dt>${name}</dt><dd><strong>${value}</strong>${note === undefined ? nothing : html`<span>${note}</span>`}</dd></div>`
  return html`<dl class="figures">${list.map(one)}</dl>`
}

export type Tone = 'good' | 'bad' | 'warn' | 'calm'

/** A word with a colour and a sign, so that it is understood without the colour. */
export function badge(tone: Tone, text: string): Html {
  const sign = { good: '✓', bad: '✗', warn: '!', calm: '–' }[tone]
  return html`<span class="badge ${tone}"><span aria-hidden="true">${sign} </span>${text}</span>`
}

/** Text of a fixed width, with a button that copies it. @param what names it: "curl line" */
export function copyable(what: string, text: string): Html {
  return html`<div class="copy"><pre tabindex="0" aria-label="${what}"><code>${text}</code></pre><button type="button" class="quiet" data-copy hidden>Copy<span class="unseen"> ${what}</span></button></div>`
}
