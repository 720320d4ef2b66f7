import type { FailedIn } from '#scenario/plan/selection'
import { resultsFile } from '../diff/results-file.ts'
import { readResults } from '../read-results.ts'

/** Rows that failed in an earlier run, with the scenarios in which they did. @throws Stop (2) where the file holds no results */
export function failedIn(option: '--baseline' | '--failed', path: string): FailedIn {
  const file = resultsFile(path)
  const { requirements } = readResults(file, `${option} ${file}`)
  const failed = requirements.filter(({ verdict }) => verdict === 'fail')
  return new Map(failed.map(({ id, failures = [] }) => [id, failures.flatMap(({ scenario = [] }) => scenario)]))
}
