import type { Rule } from '../../src/judge/rule.ts'
import { isDateTime } from '../../src/law/formats.ts'
import { timeoutOf } from './status.rules.ts'
import { countAt, say, textAt, worldsOf } from './worlds.ts'

const rows = [
  'world-sessions.session.expires-at-in-future',
  'world-sessions.session.expires-at-within-request',
] as const

/** Clocks of several machines, and times that are cut to the second. */
const slack_ms = 5_000

/** `expires_at` against `created_at` and against the lifetime that was requested (2.11, 4.5). */
export const lifetime: Rule = {
  id: 'world-sessions.lifetime',
  proves: rows,
  judge(trace, report) {
    for (const { call, data, plain } of worldsOf(trace).creations) {
      const [created, expires] = [timeAt(textAt(data, '/created_at')), timeAt(textAt(data, '/expires_at'))]
      if (!plain || created === undefined || expires === undefined) continue
      const got = textAt(data, '/expires_at') ?? ''
      const [future, within] = rows
      say(report, future, expires > created, { expected: 'a time after created_at', got, call })
      const asked = countAt(call.asked, '/max_session_duration_seconds')
      if (asked === undefined) continue
      const late = data['status'] === 'provisioning' ? timeoutOf(trace, 'provisioning_ms') : 0
      const life = expires - created
      const expected = `${asked} s after created_at or less`
      say(report, within, life <= asked * 1000 + slack_ms + late, { expected, got: `${life / 1000} s`, call })
    }
  },
}

function timeAt(text: string | undefined): number | undefined {
  return text === undefined || !isDateTime(text) ? undefined : Date.parse(text)
}
