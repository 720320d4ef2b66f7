import type { Results } from '#judge/results'
import { type ConclusionOptions, conclude } from './conclusion.ts'

/**
 * What is wrong with the run itself: the conclusion first, then each error. Empty for a run whose requirements say all.
 * Without it a report of requirements could be green though the run was not.
 */
export function runErrors(results: Results, options: ConclusionOptions): readonly string[] {
  const { exit, sentence } = conclude(results, options)
  const { stale, expired, unknown } = results.waivers
  const waivers = [...stale, ...expired, ...unknown]
  if (exit === 0 || (exit === 1 && waivers.length === 0)) return []
  const listed = waivers.length === 0 ? '' : ` Expected failures: ${waivers.join(', ')}.`
  return [sentence + listed, ...results.harness_errors.map(({ message }) => message)]
}
