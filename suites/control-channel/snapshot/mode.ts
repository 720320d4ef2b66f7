import type { Frame } from '#client/types'
import type { Condition } from '#trace/claim'
import { before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { guide } from '../bodies.ts'
import { setStage, type Speaking, speakLong, type Stage, story, tryAgain } from '../responses/busy.ts'
import { outlast, quiet } from '../responses/responses.ts'
import { startAction } from '../scheduling/act.ts'
import { once, type Queued, queue } from '../scheduling/wait.ts'
import type { Talk } from '../talk.ts'
import { update } from '../updates/updates.ts'

const renderStarted = event('response.render.started')
const mode = 'snapshot.mode'

/** What waits is rendered though the session goes to text, and is not though it goes to video. */
export async function keepMode(stage: Stage): Promise<void> {
  await fromVideoToText(stage)
  const inText = await setStage(stage.talk)
  await tryAgain(inText, (length) => fromTextToVideo(inText, length))
}

async function fromVideoToText(stage: Stage): Promise<void> {
  const { talk } = stage
  const old = await startAction(stage)
  const waiting = await queue(stage, old, story(talk, 40))
  const changed = await change(stage, old, { mode: 'text_chat' })
  const renders = before({ event: talk.event(renderStarted, talk.opened) }, waiting.at)
  const rendered = talk.inTime(renderStarted, { event: waiting.created }, talk.coming, {
    instead: [event('response.done')],
  })
  talk.claim(mode, rendered, once(old, waiting, waiting.notRejected, waiting.started, changed, renders))
  const begun = await hearWaiting(talk, waiting)
  if (begun !== undefined) await talk.hear(renderStarted, begun.frame)
}

async function fromTextToVideo(stage: Stage, length: number): Promise<boolean> {
  const { talk } = stage
  await update(talk, { mode: 'text_chat' }, { told: 'by-id' })
  const old = await speakLong(stage, length)
  const waiting = await queue(stage, old, story(talk, 40))
  const changed = await change(stage, old, { mode: 'video_avatar', active_avatar_id: guide })
  const unrendered = talk.never(renderStarted, { event: waiting.created }, { event: waiting.done })
  talk.claim(mode, unrendered, once(old, waiting, waiting.notRejected, waiting.started, changed))
  await hearWaiting(talk, waiting)
  return waiting.wasBusy()
}

/** @returns that the update was applied while the other response was active */
async function change({ talk }: Stage, old: Speaking, session: JsonObject): Promise<Condition> {
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
