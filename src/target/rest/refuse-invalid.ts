import { firstBroken, type ValidationTable } from '../behaviour/validations/input-validation.ts'
import { Refusal } from '../refusal.ts'

/**
 * Refuses an input that fails a validation.
 * @throws Refusal with the code of the first validation that fails, 30004 where it has none.
 */
export function refuseInvalid<Input>(table: ValidationTable<Input>, input: Input): void {
  const found = firstBroken(table, input)
  if (found !== undefined)
    throw new Refusal(found.validation.code ?? '30004', `${found.validation.param} (${found.id})`)
}
