import type { Condition, Point } from '#trace/claim'
import { before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { onlyIf } from '../expectation.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { update, type Updated } from '../updates/updates.ts'

/** Time for what the end of a connection does to the other one, in milliseconds. */
const momentMs = 250

/** Both connections are open when this point of one of them comes; a target may have closed the other. */
export function beside(other: Talk, at: Point): readonly Condition[] {
  return [before(other.opened, at), before(at, other.closed)]
}

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
