import { stringAt } from '#trace/json'
import { clockOf } from '#judge/calls'
import type { Rule } from '#judge/rule'
import { clockBehind, clockOffset } from '#judge/timing/clock-offset'
import { ourClockAt } from '#judge/timing/our-clock'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { isDateTime } from '#spec/formats'

import { type Creation, newStarts, plainCreations } from './creations.ts'

const row: RequirementId = 'avatar-sessions.session.expires-at-in-future'

/** How far our clock and the target's may be apart, where the target does not tell its own. */
const skew_ms = 300_000
/** `Date` is cut to the second. */
const cut_ms = 1_000

/** `expires_at`, where returned, lies after the creation (2.1). */
export const expiresInFuture: Rule = {
  id: 'avatar-sessions.expires-in-future',
  proves: [row],
  judge(trace, report) {
    for (const creation of [...plainCreations(trace), ...newStarts(trace)]) {
      const text = stringAt(creation.data, '/expires_at')
      const sent = sentAt(creation, trace)
      if (text === undefined || sent === undefined || !isDateTime(text)) continue
      const { line, lines, record } = creation
      if (Date.parse(text) > sent) report.held(row, line)
      else report.broken(row, { expected: 'a time after the creation', got: text, lines, scenario: record.scenario })
    }
  },
}

/** The earliest time, by the clock that sessions expire by, that is surely not before the create was sent; milliseconds. */
export function sentAt({ record, sent, answered }: Creation, trace: TraceIndex): number | undefined {
  const date = clockOf(record.attempts.at(-1)?.response?.entry.headers['date'])
  const offset = clockOffset(trace)
  if (date !== undefined && offset !== undefined) {
    return date + cut_ms - (answered - sent) + (offset === 0 ? clockBehind(trace) : offset)
  }
  const ours = ourClockAt(trace, sent)
  return ours === undefined ? undefined : ours - skew_ms
}
