import type { Results } from '#judge/results'
import { type Baseline, conclude, type Conclusion } from '#report/conclusion'
import type { FailedIn } from '#scenario/plan/selection'
import type { ReasonCode } from '#trace/entry'
import { resultsFile } from '../diff/results-file.ts'
import { readResults } from '../read-results.ts'

/** What leaves a row without a verdict in each equal run; a network, a budget or a narrower run does so once. */
const lasting: ReadonlySet<ReasonCode | undefined> = new Set(['prerequisite', 'quota', 'passive', 'model_choice'])

/** What failed in an earlier run, and what an equal run leaves without a verdict again. @throws Stop (2) where the file holds no results */
export function baselineIn(path: string): Baseline {
  const { requirements, run } = resultsOf('--baseline', path)
  const failed = requirements.filter(({ verdict }) => verdict === 'fail')
  // A run that did not come to its end says nothing of what it would have judged.
  const unjudged = requirements.filter(
    ({ verdict, reason_code }) => run.outcome === 'completed' && verdict === 'inconclusive' && lasting.has(reason_code),
  )
  return { failed: idsOf(failed), unjudged: idsOf(unjudged) }
}

/** Rows that failed in an earlier run, with the scenarios in which they did. @throws Stop (2) where the file holds no results */
export function failedIn(path: string): FailedIn {
  const { requirements } = resultsOf('--failed', path)
  const failed = requirements.filter(({ verdict }) => verdict === 'fail')
  return new Map(failed.map(({ id, failures = [] }) => [id, failures.flatMap(({ scenario = [] }) => scenario)]))
}

/** What an earlier run came to. @throws Stop (2) where the file holds no results */
export function concludedIn(path: string): Conclusion {
  return conclude(resultsOf('--failed', path))
}

function idsOf(rows: Results['requirements']): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id))
}

function resultsOf(option: '--baseline' | '--failed', path: string): Results {
  const file = resultsFile(path)
  return readResults(file, `${option} ${file}`)
}
