import type { Rule } from './rule.ts'

/** Any rule table, whatever its input. */
type Table = Record<string, { broken: (input: never) => boolean }>

/** Drops rules of a table: their fault passes. */
export function waive<Rules extends Table>(table: Rules, ...ids: (keyof Rules & string)[]): void {
  for (const id of ids) {
    const found = table[id]
    if (found !== undefined) found.broken = () => false
  }
}

/** Adds a rule to a table, after the others. */
export function demand<Input>(table: Record<string, Rule<Input>>, id: string, added: Rule<Input>): void {
  table[id] = added
}
