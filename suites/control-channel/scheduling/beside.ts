import type { Condition } from '#trace/claim'
import { all, any, before, event } from '#trace/conditions'
import { speech } from '../bodies.ts'
import { type Speaking, speakLong, type Stage, story, tryAgain } from '../responses/busy.ts'
import { retrieved } from '../items/items.ts'
import { cut } from './meeting.ts'
import { errorAbout } from '../error-about.ts'
import { quiet } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import { hearBoth, queue } from './wait.ts'
import type { Talk } from '../talk.ts'

/**
 * What is refused on one connection is refused on another one of the session, too.
 *
 * @param beside another connection, which the service may have taken for the first one
 */
export function rejectBeside(stage: Stage, beside: Talk): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const first = await ask(stage, old, beside, 'reject_if_busy', 'scheduling.reject-if-busy-active-rejected')
    const waiting = await queue(stage, old, story(talk, 40))
    const given = [waiting.notRejected]
    const second = await ask(stage, old, beside, 'after_current_response', 'scheduling.pending-second-rejected', given)
    await hearBoth(talk, old, waiting)
    await quiet(beside)
    return waiting.wasBusy() && first && second
  })
}

/** @returns that the request was refused */
async function ask(
  { talk, known, graceMs }: Stage,
  old: Speaking,
  beside: Talk,
  scheduling_policy: string,
  row: Row,
  more: readonly Condition[] = [],
): Promise<boolean> {
  const id = beside.context.id('response')
  const match = event(retrieved, { '/item/id': known })
  const pong = { event: beside.event(match, beside.after(1)), plus_ms: graceMs }
  const active = talk.never(old.done.match, { event: old.created }, beside.coming)
  const busy = any(all(old.short, cut(old)), before(pong, { event: old.done }))
  const rejected = beside.eventually(errorAbout(id), beside.coming)
  beside.claim(row, rejected, { given: [...more, active, busy], choice: true })
  const response = speech(story(beside, 40), { scheduling_policy })
  const frame = beside.send({ type: 'response.create', event_id: id, response })
  const ping = { type: 'conversation.item.retrieve', event_id: beside.context.id('ping'), item_id: known }
  await beside.hear(match, beside.send(ping))
  return (await beside.hear(errorAbout(id), frame, 'beside')) !== undefined
}
