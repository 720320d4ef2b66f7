import { answerTo } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import type { Attempt, ExchangeRecord } from '#judge/trace-index'

const underV1 = 'versioning.rest-paths.under-v1'

/** They look nothing up: a valid key that is told "not found" has not found the endpoint. */
const withoutId = new Set(['list-avatar-sessions', 'list-characters', 'list-voices', 'upload-audio'])

/** "All REST paths start with `/v1/`" (section 9): every request of a run goes there. */
export const paths: Rule = {
  id: 'versioning.paths',
  proves: [underV1],
  judge(trace, report) {
    for (const record of trace.exchanges.values()) {
      if (record.operation === null || !withoutId.has(record.operation)) continue
      for (const attempt of record.attempts) judgeAttempt(record, attempt, report)
    }
  },
}

function judgeAttempt(record: ExchangeRecord, attempt: Attempt, report: Report): void {
  const answer = answerTo(attempt)
  if (answer.kind === 'success') report.held(underV1, attempt.request.line, answer.line)
  // A key without access may be told anything; the key of most requests has it.
  if (answer.kind !== 'failure' || answer.code !== 20005 || record.key !== 'primary') return
  // What is looked up may be missing: the start of a page.
  if (attempt.request.entry.path.includes('?')) return
  report.broken(underV1, {
    expected: `${record.operation} at ${attempt.request.entry.path}`,
    got: `${answer.code} ${answer.message}`,
    lines: [attempt.request.line, answer.line],
    scenario: record.scenario,
  })
}
