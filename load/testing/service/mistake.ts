import type { Law } from '../../core/limits/laws.ts'
import type { ServiceRules } from './rules.ts'

/** A mistake of a limiter, as a change of correct rules, and the laws by which it may be found. */
export interface Mistake {
  readonly text: string
  readonly laws: readonly Law[]
  seed(rules: ServiceRules): void
}

/** True for every so many-th time that it is asked: for mistakes that show now and then. */
export function everyNth(nth: number): () => boolean {
  let count = 0
  return () => {
    count += 1
    return count % nth === 0
  }
}
