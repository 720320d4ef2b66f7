import { toolsFirstSent, toolsIn } from '#judge/creates/tools-sent'
import { isRecording } from '#judge/recordings'
import type { Rule } from '#judge/rule'
import { show } from '#judge/show'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { at } from '#trace/json'
import { type Creation, plainCreations } from './creations.ts'

const row: RequirementId = 'avatar-sessions.conversation.tools-own-only'

/**
 * "Effective conversation defaults" (2.1) are those of this session: a service may have tools of its own, but not those that
 * only another create or save had sent before. Who else sends tools is not in a recording.
 */
export const toolsOwnOnly: Rule = {
  id: 'avatar-sessions.tools-own-only',
  proves: [row],
  judge(trace, report) {
    if (isRecording(trace)) return
    for (const [workspace, here] of Map.groupBy(plainCreations(trace), ({ record }) => workspaceOf(record.key))) {
      const sent = toolsFirstSent(trace, workspace)
      const earliest = Math.min(...sent.values())
      for (const one of here) {
        const { record, body, data, lines } = one
        const isSent = (name: string): boolean => (sent.get(name) ?? Number.POSITIVE_INFINITY) < lines[0]
        const foreign = toolsIn(data).filter((name) => !toolsIn(body).includes(name) && isSent(name))
        const left = foreign.filter((name) =>
          here.some((other) => other !== one && isAlike(other, one) && isWithout(other, name)),
        )
        if (left.length > 0) {
          const expected = 'no tools that only another create or save had sent'
          report.broken(row, { expected, got: show([...left]), lines, scenario: record.scenario })
        } else if (earliest < lines[0] && foreign.length === 0) report.held(row, ...lines)
      }
    }
  },
}

/** What a service has by itself may rest on the model and on the mode: for a video call there may be a tool to end it. */
function isAlike({ data: one }: Creation, { data: other }: Creation): boolean {
  return ['/model', '/session/mode'].every((place) => at(one, place) === at(other, place))
}

/** A session that neither asked for a tool nor shows it: the service has it not by itself. */
function isWithout({ body, data }: Creation, name: string): boolean {
  return ![body, data].some((value) => toolsIn(value).includes(name))
}
