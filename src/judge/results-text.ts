import type { Results } from './results.ts'

/** The bytes of `results.json`. */
export function resultsText(results: Results): string {
  return `${JSON.stringify(results, undefined, 2)}\n`
}
