import type { ErrorCode } from '../behaviour/codes.ts'
import type { Rule } from '../behaviour/rules/rule.ts'
import { demand } from '../behaviour/rules/waive.ts'

/** Gives another code to some of the inputs that break a rule. */
export function recodeWhere<Input>(
  table: Record<string, Rule<Input>>,
  id: string,
  code: ErrorCode,
  fits: (input: Input) => boolean,
): void {
  const found = table[id]
  if (found === undefined) throw new Error(`no such rule: ${id}`)
  const { broken } = found
  found.broken = (input) => broken(input) && !fits(input)
  demand(table, `${id}-by-defect`, { ...found, broken: (input) => broken(input) && fits(input), code })
}
