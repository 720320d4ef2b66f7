import type { Condition } from '#trace/claim'
import { all, any, before, equals, event, inEvent, oneOf } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { speech } from '../bodies.ts'
import { errorAbout } from '../error-about.ts'
import { forRows, onlyIf } from '../expectation.ts'
import { cutGraceMs } from '../model/cut.ts'
import {
  besideSpeech,
  eventOf,
  finishOff,
  lastingBeyond,
  runOf,
  type Speaking,
  type BusySession,
  story,
} from '../responses/busy.ts'
import {
  type Asked,
  finish,
  outlast,
  quiet,
  respond,
  start,
  startsAfter,
  wasCut,
  whole,
} from '../responses/responses.ts'
import { claiming } from '../step.ts'
import { ping, pongAfter } from './ping.ts'
import { type Queued, queue } from './wait.ts'

/** Time for what waits to start once the active response was cancelled, in milliseconds; steering only. */
const momentMs = 600

/**
 * Nothing is active and nothing starts any more. What waited may be about to start: a refusal counts only where it does not
 * start within the patience of two answers.
 */
const speakAlone = claiming({ 'response-cancel': 'frees-session' }).step(
  async (talk, old: Speaking, waiting: Queued): Promise<void> => {
    const speak = (more: (it: Asked) => readonly Condition[]) =>
      start(talk, speech(story(talk, 40), { scheduling_policy: 'reject_if_busy' }), (it) => {
        const settled = talk.never(runOf(waiting, waiting.words), it.at)
        return { 'response-cancel.frees-session': onlyIf([wasCut(old), settled, ...more(it)], it.started) }
      })
    const first = await speak(({ id, at }) => [talk.never(errorAbout(id), at, talk.after(1))])
    if (first.start !== undefined) return void (await finish(talk, first))
    const late = await outlast(talk, waiting.created.match, waiting.frame)
    if (late === undefined) await finish(talk, await speak(() => []))
    else await outlast(talk, event('response.done'), late.frame)
  },
)

/**
 * A cancel "targets the current active response", though another one waits. Whether that one still runs is not said; in
 * the end the session is idle.
 */
export const cancelBesidePending = claiming({ 'response-cancel': 'active-cut-short' }, speakAlone).step(
  async (talk, busy: BusySession) => {
    const { known } = busy
    await besideSpeech(talk, lastingBeyond(busy, cutGraceMs), async (old) => {
      const waiting = await queue(talk, busy, old, story(talk, 40))
      const pong = { event: pongAfter(talk, known, talk.after(1)) }
      const own = eventOf('response.output_text.delta', old.responseId)
      const late = talk.event(own, { ...pong, plus_ms: cutGraceMs })
      const active = talk.never(old.done.match, { event: old.created }, talk.coming)
      const inTime = any(all(old.short, wasCut(old)), before({ event: late }, { event: old.done }))
      // All of its text may be out before the cancel is read: then there is nothing left to cut.
      const left = talk.never(whole(old.words), { event: old.created }, pong)
      talk.expect({
        'response-cancel.active-cut-short': onlyIf([waiting.notRejected, active, inTime, left], old.short),
      })
      talk.send({ type: 'response.cancel', event_id: talk.context.id('cancel') })
      await ping(talk, known)
      await finishOff(talk, old)
      await talk.channel.next(waiting.created.match, { after: waiting.frame, within_ms: momentMs })
      await quiet(talk)
      await speakAlone(talk, old, waiting)
      return waiting.wasBusy()
    })
  },
)

/** However a response ends, its session is idle then. */
const speakAfterIncomplete = claiming({ scheduling: 'idle-after-done after-current-idle-starts' }).step(
  async (talk) => {
    for (const [scheduling_policy, row] of [
      ['reject_if_busy', 'scheduling.idle-after-done'],
      ['after_current_response', 'scheduling.after-current-idle-starts'],
    ] as const) {
      const short = await respond(talk, { max_output_tokens: 5 })
      await quiet(talk)
      await respond(talk, speech(story(talk, 40), { scheduling_policy }), (it) => forRows(row, startsAfter(short, it)))
    }
  },
)

/** Whether what waits runs when the active response failed or was cancelled is not said. */
export const endsWell = ({ done }: Pick<Asked, 'done'>): Condition =>
  equals(inEvent(done, '/response/status'), oneOf('completed', 'incomplete'))

/** What waits for a response runs however that ends by itself. @returns whether that one started */
export const waitBehind = claiming({ scheduling: 'after-current-runs' }).step(
  async (talk, active: JsonObject): Promise<boolean> => {
    const old = await start(talk, active)
    const [id, at, words] = [talk.context.id('response'), talk.coming, story(talk, 40)]
    const runs = any(talk.eventually(whole(words), at), talk.eventually(whole(words), { event: old.done }))
    const taken = talk.never(errorAbout(id), at, talk.after(1))
    talk.expect({ 'scheduling.after-current-runs': onlyIf([taken, endsWell(old)], runs) })
    const response = speech(words, { scheduling_policy: 'after_current_response' })
    const frame = talk.send({ type: 'response.create', event_id: id, response })
    await outlast(talk, event('response.output_text.done', { '/text': words }), frame)
    await quiet(talk)
    return old.start !== undefined
  },
)

/** With so few tokens a response may end as `incomplete`. */
export const waitForIncomplete = claiming({}, waitBehind, speakAfterIncomplete).step(async (talk) => {
  if (await waitBehind(talk, { max_output_tokens: 5 })) await speakAfterIncomplete(talk)
})
