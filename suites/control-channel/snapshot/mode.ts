import type { Frame } from '#client/types'
import type { Condition } from '#trace/claim'
import { before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { silentAudio } from '../assets/media.ts'
import { guide } from '../bodies.ts'
import { forRows } from '../expectation.ts'
import { timeSession, type Speaking, speakLong, type BusySession, story, tryAgain } from '../responses/busy.ts'
import { completed, outlast, quiet } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { startAction } from '../scheduling/act.ts'
import { onceOver } from '../scheduling/meeting.ts'
import { type Queued, queue } from '../scheduling/wait.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { update } from '../updates/updates.ts'

const renderStarted = event('response.render.started')
const mode = rows({ snapshot: 'mode' })

const applied = {
  text_chat: 'session-update.text-chat-mode-applied',
  video_avatar: 'session-update.video-mode-applied',
} as const

/** A busy session takes another mode all the same. @returns that it was applied while the other response was active */
const change = claiming({ 'session-update': 'text-chat-mode-applied video-mode-applied' }).step(
  async (talk, old: Speaking, to: keyof typeof applied): Promise<Condition> => {
    const updated = talk.event(event('session.updated'), talk.coming)
    // It may be looked at when nothing is active any more, and its image may not be had just then.
    await update(
      talk,
      { mode: to, active_avatar_id: guide },
      {
        told: 'by-id',
        inVideo: to === 'video_avatar',
        expect: (it) => forRows(applied[to], it.shows({ mode: to })),
      },
    )
    return before({ event: updated }, { event: old.done })
  },
)

/** What is to wait, and the words that it speaks; none where they are not known beforehand. */
interface ToWait {
  readonly words: string
  readonly response?: JsonObject
}

const fromVideoToText = claiming({}, mode, change).step(async (talk, busy: BusySession, { words, ...what }: ToWait) => {
  const old = await startAction(talk, busy)
  const waiting = await queue(talk, busy, old, words, what)
  const changed = await change(talk, old, 'text_chat')
  const renders = before({ event: talk.event(renderStarted, talk.opened) }, waiting.at)
  const rendered = talk.inTime(renderStarted, { event: waiting.created }, talk.coming, {
    instead: [event('response.done')],
  })
  const { notRejected, started } = waiting
  const seen = [notRejected, started, changed, renders, completed(waiting)]
  talk.expect({ 'snapshot.mode': onceOver(old, waiting, rendered, ...seen) })
  const begun = await hearWaiting(talk, waiting)
  if (begun !== undefined) await talk.hear(renderStarted, begun.frame)
})

const fromTextToVideo = claiming({}, mode, change).step(async (talk, busy: BusySession, { words, ...what }: ToWait) => {
  await tryAgain(talk, busy, async (length) => {
    await update(talk, { mode: 'text_chat' }, { told: 'by-id' })
    const old = await speakLong(talk, busy, length)
    const waiting = await queue(talk, busy, old, words, what)
    const changed = await change(talk, old, 'video_avatar')
    const unrendered = talk.never(renderStarted, { event: waiting.created }, { event: waiting.done })
    const { notRejected, started } = waiting
    talk.expect({ 'snapshot.mode': onceOver(old, waiting, unrendered, notRejected, started, changed) })
    await hearWaiting(talk, waiting)
    return waiting.wasBusy()
  })
})

/** What waits, a speech or not, is rendered though the session goes to text, and is not though it goes to video. */
export const keepMode = claiming({}, fromVideoToText, fromTextToVideo).step(async (talk, busy: BusySession) => {
  await fromVideoToText(talk, busy, { words: story(talk, 40) })
  await update(talk, { mode: 'video_avatar', active_avatar_id: guide }, { told: 'by-id', inVideo: true })
  await fromVideoToText(talk, busy, { words: '', response: silentAudio(0.3) })
  const inText = await timeSession(talk)
  await fromTextToVideo(talk, inText, { words: story(talk, 40) })
  await fromTextToVideo(talk, inText, { words: '', response: {} })
})

/** Hears what waits start and end. */
async function hearWaiting(talk: Talk, { created, frame }: Queued): Promise<Frame | undefined> {
  const begun = await outlast(talk, created.match, frame)
  if (begun !== undefined) await outlast(talk, event('response.done'), begun.frame)
  await quiet(talk)
  return begun
}
