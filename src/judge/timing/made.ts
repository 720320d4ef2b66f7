import { isDateTime } from '#spec/formats'
import type { RequirementId } from '#spec/register'
import { textAt } from '#trace/json'
import type { Call } from '../calls.ts'
import type { Report } from '../rule.ts'
import type { TraceIndex } from '../trace-index.ts'
import { ourClockAt } from './our-clock.ts'

/** Clocks of a service's machines may be apart by so much; zones are apart by at least a quarter of an hour. */
export const clock_ms = 10 * 60_000

/**
 * `created_at` of what an answer says was made lies no further ahead of the clock than clocks may be apart. It may be as old
 * as it likes: what was there already was made then. An edge may write the `Date` of the answer, by a clock that is behind,
 * so that the later of it and of our own counts. A timestamp of another form is a fault of its own.
 */
export function judgeMade(row: RequirementId, call: Call, trace: TraceIndex, report: Report): void {
  const { clock, line, answeredLine, answeredT, scenario } = call
  const got = textAt(call.data, '/created_at')
  if (got === undefined || !isDateTime(got)) return
  if (clock === undefined) return report.unobserved(row, 'model_choice', 'the answer has no Date header', answeredLine)
  const now = Math.max(clock, ourClockAt(trace, answeredT) ?? clock)
  const isAhead = Date.parse(got) > now + clock_ms
  if (!isAhead) return report.held(row, answeredLine)
  const expected = `about ${new Date(now).toISOString()} or before, when the answer came`
  report.broken(row, { expected, got, lines: [line, answeredLine], scenario })
}
