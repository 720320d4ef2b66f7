import type { Frame } from '#client/types'
import type { Condition } from '#trace/claim'
import { before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { guide } from '../bodies.ts'
import { timeSession, type Speaking, speakLong, type BusySession, story, tryAgain } from '../responses/busy.ts'
import { outlast, quiet } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { startAction } from '../scheduling/act.ts'
import { onceOver } from '../scheduling/meeting.ts'
import { type Queued, queue } from '../scheduling/wait.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { update } from '../updates/updates.ts'

const renderStarted = event('response.render.started')
const mode = rows({ snapshot: 'mode' })

const fromVideoToText = claiming({}, mode).step(async (talk, busy: BusySession) => {
  const old = await startAction(talk, busy)
  const waiting = await queue(talk, busy, old, story(talk, 40))
  const changed = await change(talk, old, { mode: 'text_chat' })
  const renders = before({ event: talk.event(renderStarted, talk.opened) }, waiting.at)
  const rendered = talk.inTime(renderStarted, { event: waiting.created }, talk.coming, {
    instead: [event('response.done')],
  })
  const { notRejected, started } = waiting
  talk.expect({ 'snapshot.mode': onceOver(old, waiting, rendered, notRejected, started, changed, renders) })
  const begun = await hearWaiting(talk, waiting)
  if (begun !== undefined) await talk.hear(renderStarted, begun.frame)
})

const fromTextToVideo = claiming({}, mode).step(async (talk, busy: BusySession) => {
  await tryAgain(talk, busy, async (length) => {
    await update(talk, { mode: 'text_chat' }, { told: 'by-id' })
    const old = await speakLong(talk, busy, length)
    const waiting = await queue(talk, busy, old, story(talk, 40))
    const changed = await change(talk, old, { mode: 'video_avatar', active_avatar_id: guide })
    const unrendered = talk.never(renderStarted, { event: waiting.created }, { event: waiting.done })
    const { notRejected, started } = waiting
    talk.expect({ 'snapshot.mode': onceOver(old, waiting, unrendered, notRejected, started, changed) })
    await hearWaiting(talk, waiting)
    return waiting.wasBusy()
  })
})

/** What waits is rendered though the session goes to text, and is not though it goes to video. */
export const keepMode = claiming({}, mode).step(async (talk, busy: BusySession) => {
  await fromVideoToText(talk, busy)
  await fromTextToVideo(talk, await timeSession(talk))
})

/** @returns that the update was applied while the other response was active */
async function change(talk: Talk, old: Speaking, session: JsonObject): Promise<Condition> {
  const updated = talk.event(event('session.updated'), talk.coming)
  await update(talk, session)
  return before({ event: updated }, { event: old.done })
}

/** Hears what waits start and end. */
async function hearWaiting(talk: Talk, { created, frame }: Queued): Promise<Frame | undefined> {
  const begun = await outlast(talk, created.match, frame)
  if (begun !== undefined) await outlast(talk, event('response.done'), begun.frame)
  await quiet(talk)
  return begun
}
