import type { Rule } from '#judge/rule'
import { show } from '#judge/show'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { isObject, type Json } from '#trace/json'
import { equal } from '#trace/match'
import { type Creation, say, worldsOf } from '../worlds.ts'

const row: RequirementId = 'world-sessions.metadata.own-only'

/**
 * "Application-defined string keys and values; returned" (2.11): what only an earlier session was given is no metadata of
 * this one. What a service adds of its own is another matter.
 */
export const ownMetadata: Rule = {
  id: 'world-sessions.own-metadata',
  proves: [row],
  judge(trace, report) {
    const creations = worldsOf(trace).creations.filter(({ call, plain }) => plain && call.scenario !== undefined)
    for (const creation of creations) {
      const { call, data } = creation
      const shown = data['metadata']
      for (const earlier of creations) {
        const foreign = entriesOf(earlier).filter(([name]) => !entriesOf(creation).some(([own]) => own === name))
        if (earlier.call.answeredLine > call.line || foreign.length === 0) continue
        if (workspaceOf(earlier.call.key) !== workspaceOf(call.key)) continue
        const left = foreign.filter(([name, value]) => isObject(shown) && equal(shown[name] ?? null, value))
        const expected = `nothing of ${show(Object.fromEntries(foreign))}`
        const got = show(Object.fromEntries(left))
        say(report, row, left.length === 0, { expected, got, call, beside: [earlier.call] })
      }
    }
  },
}

/** What a create was sent with, empty values aside. */
function entriesOf({ call }: Creation): readonly (readonly [string, Json])[] {
  const sent = call.asked['metadata']
  return isObject(sent) ? Object.entries(sent).filter(([, value]) => value !== '') : []
}
