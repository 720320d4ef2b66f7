import type { Results, Verdict } from '#judge/results'
import type { Baseline } from '#report/conclusion'
import type { FailedIn } from '#scenario/plan/selection'
import { resultsFile } from '../diff/results-file.ts'
import { readResults } from '../read-results.ts'

/** What failed in an earlier run, and what had no verdict. @throws Stop (2) where the file holds no results */
export function baselineIn(path: string): Baseline {
  const { requirements } = resultsOf('--baseline', path)
  const idsOf = (wanted: Verdict): ReadonlySet<string> =>
    new Set(requirements.filter(({ verdict }) => verdict === wanted).map(({ id }) => id))
  return { failed: idsOf('fail'), unjudged: idsOf('inconclusive') }
}

/** Rows that failed in an earlier run, with the scenarios in which they did. @throws Stop (2) where the file holds no results */
export function failedIn(path: string): FailedIn {
  const { requirements } = resultsOf('--failed', path)
  const failed = requirements.filter(({ verdict }) => verdict === 'fail')
  return new Map(failed.map(({ id, failures = [] }) => [id, failures.flatMap(({ scenario = [] }) => scenario)]))
}

function resultsOf(option: '--baseline' | '--failed', path: string): Results {
  const file = resultsFile(path)
  return readResults(file, `${option} ${file}`)
}
