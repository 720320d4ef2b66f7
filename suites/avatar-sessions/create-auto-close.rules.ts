import type { Report, Rule } from '../../src/judge/rule.ts'
import { show } from '../../src/judge/show.ts'
import type { RequirementId } from '../../src/law/register.ts'
import { at, type Json } from '../../src/trace/json.ts'
import { equal } from '../../src/trace/match.ts'
import { type Creation, plainCreations } from './creations.ts'

const pointers = {
  disconnected: '/auto_close/disconnected_timeout_seconds',
  idle: '/auto_close/interaction_idle_timeout_seconds',
} as const

/** "Effective policy snapshotted at creation" (2.1): what was asked for, and what omission stands for. */
export const autoClosePolicy: Rule = {
  id: 'avatar-sessions.auto-close-policy',
  proves: [
    'avatar-sessions.session.disconnected-timeout-effective',
    'avatar-sessions.session.disconnected-timeout-zero',
    'avatar-sessions.session.idle-timeout-effective',
    'avatar-sessions.session.idle-timeout-zero',
    'avatar-sessions.session.idle-timeout-omitted-zero',
    'limits.interaction-idle-timeout.omitted-off',
  ],
  judge(trace, report) {
    for (const creation of plainCreations(trace)) {
      for (const timer of ['disconnected', 'idle'] as const) judgeTimer(creation, timer, report)
    }
  },
}

/** Anything but a number of seconds is a fault of its own. */
function judgeTimer(
  { body, data, line, lines, record }: Creation,
  timer: 'disconnected' | 'idle',
  report: Report,
): void {
  const [sent, shown] = [at(body, pointers[timer]), at(data, pointers[timer])]
  if (!isSeconds(shown)) return
  const rows = rowsOf(sent, timer)
  const wanted = sent ?? 0
  for (const row of rows) {
    if (equal(shown, wanted)) report.held(row, line)
    else report.broken(row, { expected: show(wanted), got: show(shown), lines, scenario: record.scenario })
  }
}

function rowsOf(sent: Json | undefined, timer: 'disconnected' | 'idle'): readonly RequirementId[] {
  if (sent === 0) return [`avatar-sessions.session.${timer}-timeout-zero`]
  if (sent !== undefined) return [`avatar-sessions.session.${timer}-timeout-effective`]
  if (timer === 'disconnected') return []
  return ['avatar-sessions.session.idle-timeout-omitted-zero', 'limits.interaction-idle-timeout.omitted-off']
}

function isSeconds(value: Json | undefined): value is number | string {
  return (
    (typeof value === 'number' && Number.isInteger(value) && value >= 0) ||
    (typeof value === 'string' && /^\d+$/.test(value))
  )
}
