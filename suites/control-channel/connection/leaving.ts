import type { Condition, Pattern, Point } from '#trace/claim'
import { all, any, before, event } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import { prose, speech, userMessage } from '../bodies.ts'
import { errorAbout } from '../error-about.ts'
import { onlyIf } from '../expectation.ts'
import { makeItem } from '../items/items.ts'
import { modelFactor } from '../model/sessions.ts'
import { doneOf, story } from '../responses/busy.ts'
import { outlast, start, whole } from '../responses/responses.ts'
import { endsWell } from '../scheduling/leave.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { update, type Updated } from '../updates/updates.ts'

/** Time for what the end of a connection does to the other one, in milliseconds. */
const momentMs = 250

/** Both connections are open when this point of one of them comes; a target may have closed the other. */
export function beside(other: Talk, at: Point): readonly Condition[] {
  return [before(other.opened, at), before(at, other.closed)]
}

/** A response that waits for another one, as its own connection and one that stays see it. */
interface Waiting {
  /** It was not refused by the time that what was sent after it was read. */
  readonly taken: Condition
  readonly runs: readonly Pattern[]
}

/** Lets a response wait for the active one; what is made after it shows that it was read. */
async function letWait(leaving: Talk): Promise<Waiting> {
  const [id, at, words] = [leaving.context.id('response'), leaving.coming, story(leaving, 40)]
  const response = speech(words, { scheduling_policy: 'after_current_response' })
  leaving.send({ type: 'response.create', event_id: id, response })
  const { confirmed } = await makeItem(leaving, userMessage('I have to go now.'))
  const now = { mark: leaving.context.mark('a response waits for another one') }
  const runs = [event('response.created', { '/request_event_id': id }), ...whole(words)]
  return { taken: all(confirmed, leaving.never(errorAbout(id), at, now)), runs }
}

/**
 * Whoever asked for a response, and for another one behind it, leaves in the midst of the first. Which connections hear of a
 * response is not said: one that has heard this one speak hears of its end, whatever that is, and is given as long as it
 * hears anything of it. What waits for a response that ends by itself runs then, whoever asked for it.
 */
export const endWithoutAsker = claiming({ 'response-done': 'always', scheduling: 'after-current-runs' }).step(
  async (staying, leaving: Talk) => {
    const asked = await start(leaving, speech(prose(9_600)))
    const id = textAt(asked.start?.data ?? {}, '/response/id')
    if (asked.start === undefined || id === undefined) return
    await leaving.hear(event('response.output_text.delta'), asked.start.frame)
    const { taken, runs } = await letWait(leaving)
    await staying.channel.watch(momentMs)
    const first = staying.channel.frames.find(({ data }) => textAt(data ?? {}, '/response_id') === id)
    const now = { mark: leaving.context.mark('who asked for the response leaves') }
    await leaving.channel.close()
    if (first === undefined) return
    const round_ms = modelFactor * staying.patienceFor('response.done')
    const endurance = { round_ms, silent: 1, spoken: 4 }
    const end = await outlast(staying, doneOf(id), first.frame, endurance)
    const last = staying.channel.frames.findLast(({ data }) => textAt(data ?? {}, '/response_id') === id) ?? first
    const given = [
      ...beside(staying, now),
      ...beside(leaving, now),
      staying.never(doneOf(id), { frame: first.frame }, now),
    ]
    const within = staying.modelPatience
    const ended = staying.eventually(doneOf(id), { frame: last.frame }, { within })
    staying.expect({ 'response-done.always': onlyIf(given, ended) })
    if (end === undefined) return
    const done = staying.event(doneOf(id), { frame: first.frame })
    const ran = any(
      staying.eventually(runs, { frame: first.frame }, { within }),
      staying.eventually(runs, { event: done }, { within }),
    )
    staying.expect({ 'scheduling.after-current-runs': onlyIf([...given, taken, endsWell({ done })], ran) })
    const begun = await outlast(staying, runs[0] ?? doneOf(id), first.frame, endurance)
    if (begun !== undefined) await outlast(staying, event('response.done'), Math.max(begun.frame, end.frame), endurance)
  },
)

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
