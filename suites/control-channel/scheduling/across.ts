import { speech } from '../bodies.ts'
import { answersTo } from '../error-about.ts'
import { ownItem, retrieve } from '../items/items.ts'
import { besideSpeech, type BusySession, endOf, finishOff, story } from '../responses/busy.ts'
import { quiet } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'

/** Requests of one policy, by turns over two connections, all at once. @returns what was sent on each */
function volley([talk, beside]: readonly [Talk, Talk], scheduling_policy: string, length: number) {
  return [talk, beside, talk, beside].map((one) => {
    const id = one.context.id('volley')
    const response = speech(story(one, length), { scheduling_policy })
    return { one, id, frame: one.send({ type: 'response.create', event_id: id, response }) }
  })
}

/** Each request is answered, and what was sent before was read. */
async function hearAll(sent: ReturnType<typeof volley>): Promise<void> {
  for (const { one, id, frame } of sent) await one.hear(answersTo(id), frame, 'volley')
  for (const one of new Set(sent.map((each) => each.one))) await retrieve(one, await ownItem(one))
}

/** Several `reject_if_busy` at once over two connections of an idle session. The rules judge which of them may start. */
export const rejectAcross = claiming({}).step(async (talk, { length }: BusySession, beside: Talk) => {
  for (const one of [talk, beside]) await ownItem(one)
  await hearAll(volley([talk, beside], 'reject_if_busy', length))
  await quiet(talk)
  await quiet(beside)
})

/** Several `after_current_response` at once over two connections of a busy session: one of them may wait. */
export const queueAcross = claiming({}).step(async (talk, busy: BusySession, beside: Talk) => {
  for (const one of [talk, beside]) await ownItem(one)
  await besideSpeech(talk, busy, async (old) => {
    const sent = volley([talk, beside], 'after_current_response', 40)
    // The second one of each connection cannot be the one that waits.
    for (const { one, id, frame } of sent.slice(2)) await one.hear(answersTo(id), frame, 'volley')
    for (const one of [talk, beside]) await retrieve(one, await ownItem(one))
    await talk.channel.watch(busy.graceMs)
    const busyStill = endOf(talk, old) === undefined
    await finishOff(talk, old)
    for (const { one, id, frame } of sent) await one.hear(answersTo(id), frame, 'volley')
    for (const one of [talk, beside]) await quiet(one)
    return busyStill
  })
})
