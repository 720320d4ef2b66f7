import type { Condition, Point } from '#trace/claim'
import { before, event } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import { prose, speech } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { modelFactor } from '../model/sessions.ts'
import { doneOf } from '../responses/busy.ts'
import { outlast, start } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { update, type Updated } from '../updates/updates.ts'

/** Time for what the end of a connection does to the other one, in milliseconds. */
const momentMs = 250

/** Both connections are open when this point of one of them comes; a target may have closed the other. */
export function beside(other: Talk, at: Point): readonly Condition[] {
  return [before(other.opened, at), before(at, other.closed)]
}

/**
 * Whoever asked for a response leaves in its midst. Which connections hear of a response is not said: one that has heard
 * this one speak hears of its end, whatever that is, and is given as long as it hears anything of it.
 */
export const endWithoutAsker = claiming({ 'response-done': 'always' }).step(async (staying, leaving: Talk) => {
  const asked = await start(leaving, speech(prose(9_600)))
  const id = textAt(asked.start?.data ?? {}, '/response/id')
  if (asked.start === undefined || id === undefined) return
  await leaving.hear(event('response.output_text.delta'), asked.start.frame)
  await staying.channel.watch(momentMs)
  const first = staying.channel.frames.find(({ data }) => textAt(data ?? {}, '/response_id') === id)
  const now = { mark: leaving.context.mark('who asked for the response leaves') }
  await leaving.channel.close()
  if (first === undefined) return
  const round_ms = modelFactor * staying.patienceFor('response.done')
  await outlast(staying, doneOf(id), first.frame, { round_ms, silent: 1, spoken: 4 })
  const last = staying.channel.frames.findLast(({ data }) => textAt(data ?? {}, '/response_id') === id) ?? first
  const given = [
    ...beside(staying, now),
    ...beside(leaving, now),
    staying.never(doneOf(id), { frame: first.frame }, now),
  ]
  const ended = staying.eventually(doneOf(id), { frame: last.frame }, { within: staying.modelPatience })
  staying.expect({ 'response-done.always': onlyIf(given, ended) })
})

/** One of two connections is closed by us: the other one goes on working. */
export const stayAfter = claiming({ connections: 'one-closing-leaves-other' }).step(
  async (staying, leaving: Talk, session: JsonObject & { readonly active_avatar_id: string }): Promise<Updated> => {
    const now = { mark: leaving.context.mark('one of two connections is closed') }
    // One that is refused by a late Close looks open until that comes, but tells nothing.
    const heard = before({ event: staying.event({}, staying.opened) }, now)
    const both = [...beside(staying, now), ...beside(leaving, now), heard]
    const works = event('session.updated', { '/session/active_avatar_id': session.active_avatar_id })
    staying.expect({ 'connections.one-closing-leaves-other': onlyIf(both, staying.eventually(works, now)) })
    await leaving.channel.close()
    await staying.channel.watch(momentMs)
    return update(staying, session, { told: 'by-avatar' })
  },
)
