import { any, before, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import type { Condition } from '#trace/claim'
import type { JsonObject } from '#trace/json'
import { finishOff, runOf, type Speaking, speakLong, type Stage, story, tryAgain } from '../responses/busy.ts'
import { speech } from '../bodies.ts'
import { type Meeting, type Met, meet } from './meeting.ts'
import { errorAbout } from '../error-about.ts'
import { quiet } from '../responses/responses.ts'
import type { Talk } from '../talk.ts'

/** How many requests are sent at once. */
const volley = 4

/** Waits until a request that met an active response is refused, or starts since that had ended. */
export async function hearOutcome(talk: Talk, { id, frame, created, wasBusy }: Met): Promise<void> {
  const outcomes = wasBusy() ? [errorAbout(id)] : [errorAbout(id), created.match]
  await talk.channel.next(outcomes, { after: frame, within_ms: talk.patience + 20 })
}

/** The response came to its end by itself. */
export function completed({ done }: Pick<Speaking, 'done'>): Condition {
  return equals(inEvent(done, '/response/status'), value('completed'))
}

/** `reject_if_busy` beside an active response. */
export function rejectWhileActive(stage: Stage): Promise<void> {
  const { talk } = stage
  const words = story(talk, 40)
  return meetAndEnd(stage, speech(words, { scheduling_policy: 'reject_if_busy' }), (it, old) => {
    const refused = { given: [...(it.busy.given ?? []), it.rejected], choice: true }
    talk.claim('scheduling.reject-if-busy-active-rejected', it.rejected, it.busy)
    talk.claim('scheduling.reject-if-busy-never-starts', talk.never(runOf(it, words), it.at), refused)
    talk.claim('scheduling.reject-if-busy-leaves-active', old.unharmed, refused)
    claimCause(talk, it)
  })
}

/** The `error` that comes before what was sent behind the request is about the request, not about the active response. */
function claimCause(talk: Talk, { at, id, pong, busy }: Meeting): void {
  const cause = talk.event(event('error', { '/error/event_id': { $present: true, $not: null } }), at)
  const named = talk.eventually(event('error', { '/error/event_id': id }), at)
  const given = [...(busy.given ?? []), before({ event: cause }, { event: pong })]
  const own = any(named, equals(inEvent(cause, '/error/event_id'), oneOf(id, '')))
  talk.claim('error.event-id-names-cause', own, { given, choice: true })
}

/** A request that is refused for a fault of its own, with the policy `interrupt`. */
export function rejectInvalid(stage: Stage): Promise<void> {
  const { talk } = stage
  const input = [{ type: 'item_reference', id: talk.context.id('unknown-item') }]
  return meetAndEnd(stage, { input, scheduling_policy: 'interrupt' }, (it, old) => {
    const refused = { given: [...(it.busy.given ?? []), it.rejected], choice: true }
    talk.claim('response-create.rejected-leaves-active-alone', old.unharmed, refused)
  })
}

function meetAndEnd(
  stage: Stage,
  response: JsonObject,
  write: (meeting: Meeting, old: Speaking) => void,
): Promise<void> {
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const met = await meet(stage, old, response, (it) => write(it, old))
    await hearOutcome(stage.talk, met)
    await finishOff(stage.talk, old)
    return met.wasBusy()
  })
}

/** Several at once in an idle session: while one of them is active, no other starts. */
export async function rejectVolley({ talk, length }: Stage): Promise<void> {
  const created = event('response.created')
  const first = { channel: talk.number, match: created, after: talk.coming }
  for (let nth = 1; nth < volley; nth += 1) {
    const one = { ...first, nth }
    const done = talk.event(event('response.done'), { event: one })
    const alone = talk.never(created, { event: one }, { event: done })
    // Where one was done before the next was looked at, none had to be refused.
    const others = [talk.event(event('error'), talk.coming), { ...one, nth: nth + 1 }]
    const met = any(...others.map((other) => before({ event: other }, { event: done })))
    const inTime = nth === 1 ? [] : [before({ event: one }, talk.after(volley))]
    talk.claim('scheduling.reject-if-busy-one-of-a-volley', alone, { given: [met, ...inTime], choice: true })
  }
  const frames = Array.from({ length: volley }, () => {
    const response = speech(story(talk, length), { scheduling_policy: 'reject_if_busy' })
    return talk.send({ type: 'response.create', event_id: talk.context.id('volley'), response })
  })
  await talk.hear(created, frames[0] ?? 0)
  await quiet(talk)
}
