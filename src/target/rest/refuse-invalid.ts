import type { ErrorCode } from '../behaviour/codes.ts'
import { firstBroken, type ValidationTable } from '../behaviour/validations/input-validation.ts'
import { Refusal } from '../refusal.ts'

/**
 * Refuses an input that fails a validation.
 * @throws Refusal with the code of the first validation that fails, or `usual` where it has none.
 */
export function refuseInvalid<Input>(table: ValidationTable<Input>, input: Input, usual: ErrorCode = '30004'): void {
  const found = firstBroken(table, input)
  if (found !== undefined) throw new Refusal(found.validation.code ?? usual, `${found.validation.param} (${found.id})`)
}
