import type { ErrorCode } from '../behaviour/codes.ts'
import { firstBroken, type RuleTable } from '../behaviour/rules/rule.ts'
import { Refusal } from '../refusal.ts'

/**
 * Refuses an input that breaks a rule.
 * @throws Refusal with the code of the first broken rule, or `usual` where it has none.
 */
export function holdToRules<Input>(table: RuleTable<Input>, input: Input, usual: ErrorCode = '30004'): void {
  const found = firstBroken(table, input)
  if (found !== undefined) throw new Refusal(found.rule.code ?? usual, `${found.rule.param} (${found.id})`)
}
