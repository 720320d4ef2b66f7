import { isRecording } from '#judge/recordings'
import type { Call } from '#judge/calls'
import { worldEndedByItself } from '#judge/conditions/world-ended'
import { differsInside, textOf } from '#judge/keys/bodies'
import { judgeKeys, type KeyRows } from '#judge/keys/judge-keys'
import type { Report, Rule } from '#judge/rule'
import { validate } from '#spec/validators'
import { idempotencyOf, say, sessionOf, worldsOf } from '../worlds.ts'

const part = 'world-sessions.idempotency'
const code = `${part}.conflict-code` as const

/** "Key reused with a different body" (section 7); that the same body gives the same session another rule knows. */
const keys = {
  create: 'create-world-session',
  close: 'close-world-session',
  comparesBodies: true,
  rows: { otherBody: `${part}.other-body-conflict`, otherInside: `${part}.other-nested-value-conflict` },
} as const satisfies KeyRows

/** Keys, billing, rate, capacity (section 7) and moderation say nothing of the key. */
const aside: readonly number[] = [10001, 10003, 10004, 10005, 10008, 10009, 30001, 30006, 30008]

/**
 * A known key with another body is refused, and told so (section 7). In a recording, which may show the middle of a story,
 * nothing is held against a key.
 */
export const conflicts: Rule = {
  id: 'world-sessions.conflicts',
  proves: [...Object.values(keys.rows), code],
  judge(trace, report) {
    if (isRecording(trace)) return
    judgeKeys(trace, keys, report)
    const { creates, worlds } = worldsOf(trace)
    const known = Map.groupBy(creates, idempotencyOf)
    for (const [name, calls] of known) {
      if (name === undefined) continue
      const first = calls.toSorted((one, other) => one.answeredLine - other.answeredLine).find(sessionOf)
      const closed = worlds.get((first && sessionOf(first)) ?? '')?.closes[0]?.line ?? Number.POSITIVE_INFINITY
      // The key of a session that ended by itself may be free again (3.2).
      if (first === undefined || worldEndedByItself(trace, sessionOf(first) ?? '')) continue
      for (const call of calls) if (call.answeredLine < closed) judgeRefusal(first, call, report)
    }
  },
}

/** A create that was refused once the key was taken, and that would be a right one with another key. */
function judgeRefusal(first: Call, call: Call, report: Report): void {
  const { answer, asked, line } = call
  if (answer.kind !== 'failure' || line < first.answeredLine) return
  if (answer.status === 429 || answer.status >= 500 || aside.includes(answer.code)) return
  const [before, now] = [textOf(first.asked), textOf(asked)]
  if (before === now || validate('rest/create-world-session.request', asked).length > 0) return
  const row = differsInside(before, now) ? keys.rows.otherInside : keys.rows.otherBody
  say(report, row, true, { expected: '', got: '', call, beside: [first] })
  const finding = { expected: 'code 30004', got: `code ${answer.code}`, call, beside: [first] }
  say(report, code, answer.code === 30004, finding)
}
