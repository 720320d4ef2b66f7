import { isRecording } from '#judge/recordings'
import { avatarCreates, marksOf } from '#judge/creates/avatar-creates'
import { exchangesOf } from '#judge/operations'
import type { Rule } from '#judge/rule'
import { sessionIn } from '#judge/sessions/session-in'
import type { RequirementId } from '#spec/register'
import { workspaceOf } from '#spec/profile'
import { at, textsIn } from '#trace/json'

const any: RequirementId = 'errors.envelope.nonzero-code-is-failure'
const byCode: ReadonlyMap<number, readonly RequirementId[]> = new Map([
  [30006, ['limits.concurrency.refused-create-makes-nothing']],
])

/**
 * A session that Get shows, that no create of this run was answered with, and whose avatar stands in no body but those of
 * creates that were refused (or of a character from which every start was): the refused one has made it.
 */
export const leftOpen: Rule = {
  id: 'errors.left-open',
  proves: [any, ...[...byCode.values()].flat()],
  judge(trace, report) {
    // An app names its avatars alike in all of its sessions, also in those that the recording does not show.
    if (isRecording(trace)) return
    const creates = avatarCreates(trace)
    const made = new Set(creates.flatMap(({ session }) => session ?? []))
    const inVain = new Set(creates.flatMap(({ outcome, avatars }) => (outcome === 'refused' ? avatars : [])))
    for (const { key, attempts, scenario } of exchangesOf(trace, 'get-avatar-session')) {
      const id = sessionIn(attempts[0]?.request.entry.path ?? '')
      const response = attempts.at(-1)?.response
      if (id === undefined || made.has(id) || response === undefined) continue
      const shown = new Set(textsIn(at(response.entry.body, '/data')))
      if (shown.isDisjointFrom(inVain)) continue
      const before = creates.filter((one) => one.workspace === workspaceOf(key) && one.sent < response.line)
      const refused = before.filter(({ outcome, line }) => outcome === 'refused' && line < response.line)
      const marks = new Set(marksOf(refused, before).filter((mark) => shown.has(mark)))
      // The last one before it was found: the same character may have been started in vain before.
      const owner = refused.findLast(({ avatars }) => avatars.some((avatar) => marks.has(avatar)))
      if (owner === undefined) continue
      for (const row of [any, ...(byCode.get(owner.code ?? 0) ?? [])]) {
        report.broken(row, {
          expected: 'no session of a refused create',
          got: `session ${id} with its avatar`,
          lines: [owner.line, response.line],
          scenario,
        })
      }
    }
  },
}
