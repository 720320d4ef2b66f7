/** Markup that may stand in a page as it is. A class, so that no object that came as JSON can pass for it. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Piece = Html | string | number | undefined | readonly (Html | string | number | undefined)[]

/** A template whose values are text: whatever they hold, it is shown and never read as markup. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  const markup = parts.map((part, index) => part + (index < values.length ? markupOf(values[index]) : '')).join('')
  return new Html(markup)
}

export const nothing = new Html('')

function markupOf(piece: Piece): string {
  if (piece === undefined) return ''
  if (typeof piece === 'string') return escaped(piece)
  if (typeof piece === 'number') return String(piece)
  if (piece instanceof Html) return piece.markup
  return piece.map(markupOf).join('')
}

const references: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What turns, hides or breaks the text around it: controls but tab and line feed, bidi and zero-width marks, surrogates. */
const deceptive = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

/** Text for element content and for quoted attributes. */
function escaped(text: string): string {
  return text
    .replace(deceptive, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/[&<>"']/g, (character) => references[character] ?? '')
}

/** JSON for a data block: no text in it can end the block. */
export function jsonBlock(id: string, value: unknown): Html {
  const json = JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return new Html(`<script type="application/json" id="${escaped(id)}">${json}</script>`)
}
