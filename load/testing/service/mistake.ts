import type { Law } from '../../core/limits/laws.ts'
import type { ServiceRules } from './rules.ts'

/** A mistake of a limiter, as a change of correct rules, and the laws by which it may be found. */
export interface Mistake {
  readonly text: string
  readonly laws: readonly Law[]
  seed(rules: ServiceRules): void
}
