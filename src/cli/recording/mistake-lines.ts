import type { ClientMistakes } from '#recording/client/mistakes'
import { printable } from '#text/printable'

/** A line for each kind of thing that clients did wrong, with the first of its kind. */
export function mistakeLines({ kinds }: ClientMistakes): string {
  return kinds
    .map(({ kind, count, examples: [first] }) => {
      const example = first === undefined ? '' : ` (line ${first.line}: ${printable(first.what, 200)})`
      return `clients: ${kind} ${count === 1 ? 'once' : `${count} times`}${example}\n`
    })
    .join('')
}
