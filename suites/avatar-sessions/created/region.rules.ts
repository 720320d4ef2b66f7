import { isRecording } from '#judge/recordings'
import type { Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { RequirementId } from '#spec/register'
import { type Creation, plainCreations } from './creations.ts'

const row: RequirementId = 'avatar-sessions.session.region-echoed'

/**
 * `region` "echoes the hint" (2.1): that of its own create. Where there was none, whatever region the service has is right,
 * but not the hint of a create before it, which nobody showed unasked until then. Runs hint at regions that nobody has; those
 * of a recorded app are real, and a session may lie there by itself.
 */
export const regionNotKept: Rule = {
  id: 'avatar-sessions.region-not-kept',
  proves: [row],
  judge(trace, report) {
    if (isRecording(trace)) return
    const byHint = Map.groupBy(plainCreations(trace), ({ body }) => body['region'])
    const unasked = byHint.get(undefined) ?? []
    const byKey = Map.groupBy(unasked, ({ record }) => record.key)
    for (const one of unasked) {
      const hinted = byHint.get(shownBy(one))?.find((other) => isBefore(other, one))
      if (hinted === undefined || !startedOtherwise(byKey.get(one.record.key) ?? [], hinted, one)) continue
      const lines = [...hinted.lines, ...one.lines]
      const got = `${show(shownBy(one) ?? null)}, the hint of an earlier create`
      report.broken(row, { expected: 'no hint of another create', got, lines, scenario: one.record.scenario })
    }
  },
}

function shownBy({ data }: Creation): string | undefined {
  const shown = data['region']
  return typeof shown === 'string' && shown !== '' ? shown : undefined
}

function isBefore(one: Creation, other: Creation): boolean {
  return one.lines[0] < other.line
}

/** By the same key, creates without a hint were shown something else before that hint went out. */
function startedOtherwise(unasked: readonly Creation[], hinted: Creation, one: Creation): boolean {
  const after = unasked.findIndex(({ line }) => line >= hinted.lines[0])
  const before = after === -1 ? unasked : unasked.slice(0, after)
  return before.length > 0 && before.every((other) => shownBy(other) !== shownBy(one))
}
