import { firstBroken, type ValidationTable } from '../behaviour/validations/input-validation.ts'
import { EventRefusal } from '../refusal.ts'

/** Refuses a client event that fails a validation of the table. */
export function hold<Input>(table: ValidationTable<Input>, input: Input): void {
  const found = firstBroken(table, input)
  if (found === undefined) return
  const { param } = found.validation
  throw new EventRefusal(`invalid value of ${param} (${found.id})`, { code: 'invalid_value', param })
}
