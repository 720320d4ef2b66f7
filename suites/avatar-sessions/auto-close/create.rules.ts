import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { RequirementId } from '#spec/register'
import { at, type Json } from '#trace/json'
import { equal } from '#trace/match'
import { type Creation, plainCreations } from '../created/creations.ts'

const pointers = {
  disconnected: '/auto_close/disconnected_timeout_seconds',
  idle: '/auto_close/interaction_idle_timeout_seconds',
} as const

/** "Effective policy snapshotted at creation" (2.1): what was asked for or less, and what omission stands for. */
export const autoClosePolicy: Rule = {
  id: 'avatar-sessions.auto-close-policy',
  proves: [
    'avatar-sessions.session.disconnected-timeout-effective',
    'avatar-sessions.session.disconnected-timeout-unchanged',
    'avatar-sessions.session.disconnected-timeout-zero',
    'avatar-sessions.session.idle-timeout-effective',
    'avatar-sessions.session.idle-timeout-unchanged',
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
  const wanted = sent ?? 0
  const isSame = equal(shown, wanted)
  for (const row of rowsOf(sent, timer)) {
    const lowered = row.endsWith('-effective') && Number(shown) >= least[timer] && Number(shown) < Number(wanted)
    if (isSame || lowered) report.held(row, line)
    else report.broken(row, { expected: show(wanted), got: show(shown), lines, scenario: record.scenario })
  }
}

/** The shortest timeouts that are none (section 8). */
const least = { disconnected: 10, idle: 30 } as const

function rowsOf(sent: Json | undefined, timer: 'disconnected' | 'idle'): readonly RequirementId[] {
  if (sent === 0) return [`avatar-sessions.session.${timer}-timeout-zero`]
  const given = `avatar-sessions.session.${timer}-timeout` as const
  if (sent !== undefined) return [`${given}-effective`, `${given}-unchanged`]
  if (timer === 'disconnected') return []
  return ['avatar-sessions.session.idle-timeout-omitted-zero', 'limits.interaction-idle-timeout.omitted-off']
}

function isSeconds(value: Json | undefined): value is number | string {
  return (
    (typeof value === 'number' && Number.isInteger(value) && value >= 0) ||
    (typeof value === 'string' && /^\d+$/.test(value))
  )
}
