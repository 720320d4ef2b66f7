import type { Rule } from '#judge/rule'
import { judgeMade } from '#judge/timing/made'
import type { RequirementId } from '#spec/register'
import { worldsOf } from '../worlds.ts'

const row: RequirementId = 'world-sessions.session.created-at-not-ahead'

/** `created_at` (2.11) of a session that was just created. */
export const notAhead: Rule = {
  id: 'world-sessions.created-at-not-ahead',
  proves: [row],
  judge(trace, report) {
    for (const { call } of worldsOf(trace).creations) judgeMade(row, call, trace, report)
  },
}
