import { firstBroken, type RuleTable } from '../behaviour/rules/rule.ts'
import { EventRefusal } from '../refusal.ts'

/** Refuses a client event that breaks a rule of the table. */
export function hold<Input>(table: RuleTable<Input>, input: Input): void {
  const found = firstBroken(table, input)
  if (found === undefined) return
  const { param } = found.rule
  throw new EventRefusal(`invalid value of ${param} (${found.id})`, { code: 'invalid_value', param })
}
