import type { InputValidation } from './input-validation.ts'

/** Any rule table, whatever its input. */
type Table = Record<string, { broken: (input: never) => boolean }>

/** Drops rules of a table: their fault passes. */
export function waive<Validations extends Table>(table: Validations, ...ids: (keyof Validations & string)[]): void {
  for (const id of ids) {
    const found = table[id]
    if (found !== undefined) found.broken = () => false
  }
}

/** Adds a rule to a table, after the others. */
export function demand<Input>(
  table: Record<string, InputValidation<Input>>,
  id: string,
  added: InputValidation<Input>,
): void {
  table[id] = added
}
