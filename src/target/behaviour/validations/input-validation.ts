import type { Limits } from '../access/limits.ts'
import type { ErrorCode } from '../codes.ts'

/**
 * One reason to refuse a request. `broken` is true when the input is at fault; each validation names one fault only, so that
 * dropping it lets exactly that fault through.
 */
export interface InputValidation<Input> {
  section: string
  /** The field at fault, as an error names it. */
  param: string
  broken: (input: Input) => boolean
  /** Where the operation's usual code is not the right one. */
  code?: ErrorCode
}

export type ValidationTable<Input, Id extends string = string> = Record<Id, InputValidation<Input>>

/** What every validation may look at. */
export interface ValidationInput {
  limits: Limits
}

/** @param code where the operation's usual one is not the right one */
export const validation = <Input>(
  section: string,
  param: string,
  broken: (input: Input) => boolean,
  code?: ErrorCode,
): InputValidation<Input> => ({ section, param, broken, ...(code === undefined ? {} : { code }) })

/** The first validation that the input fails, in the order of the table. */
export function firstBroken<Input>(
  table: ValidationTable<Input>,
  input: Input,
): { id: string; validation: InputValidation<Input> } | undefined {
  for (const [id, candidate] of Object.entries(table)) if (candidate.broken(input)) return { id, validation: candidate }
  return undefined
}
