import type { Condition } from '#trace/claim'
import { any, all, before, event } from '#trace/conditions'
import { speech } from '../bodies.ts'
import { finishOff, runOf, type Speaking, speakLong, type Stage, story, tryAgain } from '../responses/busy.ts'
import { retrieve, retrieved } from '../items/items.ts'
import { cut } from './meeting.ts'
import { errorAbout } from '../error-about.ts'
import { type Asked, finish, onceDone, outlast, quiet, respond, start, whole } from '../responses/responses.ts'
import { type Queued, queue } from './wait.ts'

/** Time for what waits to start once the active response was cancelled, in milliseconds; steering only. */
const momentMs = 600

/**
 * A cancel "targets the current active response", though another one waits. Whether that one still runs is not said; in
 * the end the session is idle.
 */
export function cancelBesidePending(stage: Stage): Promise<void> {
  const { talk, known, graceMs } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const waiting = await queue(stage, old, story(talk, 40))
    const pong = { event: talk.event(event(retrieved, { '/item/id': known }), talk.after(1)), plus_ms: graceMs }
    const active = talk.never(old.done.match, { event: old.created }, talk.coming)
    const inTime = any(all(old.short, cut(old)), before(pong, { event: old.done }))
    // All of its text may be out before the cancel is read: then there is nothing left to cut.
    const left = talk.never(whole(old.words), { event: old.created }, { event: pong.event })
    const options = { given: [waiting.notRejected, active, inTime, left], choice: true }
    talk.claim('response-cancel.active-cut-short', old.short, options)
    talk.send({ type: 'response.cancel', event_id: talk.context.id('cancel') })
    await retrieve(talk, known)
    await finishOff(talk, old)
    await talk.channel.next(waiting.created.match, { after: waiting.frame, within_ms: momentMs })
    await quiet(talk)
    await speakAlone(stage, old, waiting)
    return waiting.wasBusy()
  })
}

/**
 * Nothing is active and nothing starts any more. What waited may be about to start: a refusal counts only where it does not
 * start within the patience of two answers.
 */
async function speakAlone({ talk }: Stage, old: Speaking, waiting: Queued): Promise<void> {
  const speak = (givenToo: (it: Asked) => readonly Condition[]) =>
    start(talk, speech(story(talk, 40), { scheduling_policy: 'reject_if_busy' }), (it) => {
      const settled = talk.never(runOf(waiting, waiting.words), it.at)
      const given = [cut(old), settled, ...givenToo(it)]
      talk.claim('response-cancel.frees-session', it.started, { given, choice: true })
    })
  const first = await speak(({ id, at }) => [talk.never(errorAbout(id), at, talk.after(1))])
  if (first.start !== undefined) return void (await finish(talk, first))
  const late = await outlast(talk, waiting.created.match, waiting.frame)
  if (late === undefined) await finish(talk, await speak(() => []))
  else await outlast(talk, event('response.done'), late.frame)
}

/** What waits runs however the active response ends; with so few tokens that may be `incomplete`. */
export async function waitForIncomplete(stage: Stage): Promise<void> {
  const { talk } = stage
  const old = await start(talk, { max_output_tokens: 5 })
  const [id, at, words] = [talk.context.id('response'), talk.coming, story(talk, 40)]
  const runs = any(talk.eventually(whole(words), at), talk.eventually(whole(words), { event: old.done }))
  const taken = talk.never(errorAbout(id), at, talk.after(1))
  talk.claim('scheduling.after-current-runs', runs, { given: [taken], choice: true })
  const response = speech(words, { scheduling_policy: 'after_current_response' })
  const frame = talk.send({ type: 'response.create', event_id: id, response })
  await outlast(talk, event('response.output_text.done', { '/text': words }), frame)
  await quiet(talk)
  if (old.start !== undefined) await speakAfterIncomplete(stage)
}

/** However a response ends, its session is idle then. */
async function speakAfterIncomplete({ talk }: Stage): Promise<void> {
  for (const [scheduling_policy, row] of [
    ['reject_if_busy', 'scheduling.idle-after-done'],
    ['after_current_response', 'scheduling.after-current-idle-starts'],
  ] as const) {
    const short = await respond(talk, { max_output_tokens: 5 })
    await quiet(talk)
    await respond(talk, speech(story(talk, 40), { scheduling_policy }), (it) => {
      talk.claim(row, it.started, onceDone(short, it))
    })
  }
}
