import { resultsFile } from '../diff/results-file.ts'
import { readResults } from '../read-results.ts'

/** Ids of the rows that failed in an earlier run. @throws Stop (2) where the file holds no results */
export function failedIn(option: '--baseline' | '--failed', path: string | undefined): readonly string[] | undefined {
  if (path === undefined) return undefined
  const { requirements } = readResults(resultsFile(path), `${option} ${path}`)
  return requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
}
