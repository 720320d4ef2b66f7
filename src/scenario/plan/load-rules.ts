import type { Rule } from '#judge/rule'
import { loadFromParts } from './parts.ts'

/** The passive rules of all parts, in the order of the parts' names. @throws when a part's file does not load */
export function loadRules(): Promise<readonly Rule[]> {
  return loadFromParts<Rule>('rules')
}
