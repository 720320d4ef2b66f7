import type { Limits } from '../access/limits.ts'
import type { ErrorCode } from '../codes.ts'

/**
 * One reason to refuse a request. `broken` is true when the input is at fault; each rule names one fault only, so that
 * dropping it lets exactly that fault through.
 */
export interface Rule<Input> {
  section: string
  /** The field at fault, as an error names it. */
  param: string
  broken: (input: Input) => boolean
  /** Where the operation's usual code is not the right one. */
  code?: ErrorCode
}

export type RuleTable<Input, Id extends string = string> = Record<Id, Rule<Input>>

/** What every rule may look at. */
export interface RuleInput {
  limits: Limits
}

export const rule = <Input>(section: string, param: string, broken: (input: Input) => boolean): Rule<Input> => ({
  section,
  param,
  broken,
})

/** The first rule that the input breaks, in the order of the table. */
export function firstBroken<Input>(
  table: RuleTable<Input>,
  input: Input,
): { id: string; rule: Rule<Input> } | undefined {
  for (const [id, candidate] of Object.entries(table)) if (candidate.broken(input)) return { id, rule: candidate }
  return undefined
}
