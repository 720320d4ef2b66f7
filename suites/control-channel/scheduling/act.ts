import type { Condition } from '#trace/claim'
import { all, any, before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { silentAudio } from '../assets/media.ts'
import { speech } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { cutGraceMs } from '../model/cut.ts'
import { eventOf, lastingBeyond, listen, type Speaking, type BusySession, story } from '../responses/busy.ts'
import { completed, quiet, respond, start, wasCut } from '../responses/responses.ts'
import { act } from '../scripts/visual.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { hearOutcome, meet, whileBusy } from './meeting.ts'
import { hearBoth, queue } from './wait.ts'

const renderStarted = event('response.render.started')

/** Milliseconds of an action beside which others are sent, apart from the grace. */
const actionMs = 1_000

/** Characters of a speech that is still rendered when its whole text has come. */
const longText = 4_000

/** When that is; whether the item is done before the rendering is, is not said. */
const moments = [
  { after: 'response.output_text.done', rounds: 3 },
  { after: 'response.output_item.done', rounds: 1 },
] as const

/** An action that goes on for a while; it is cut short when it does not end as `completed`. */
export function startAction(talk: Talk, { graceMs }: BusySession): Promise<Speaking> {
  const duration_ms = Math.round(Math.min(mostOf(talk), actionMs + 2 * graceMs))
  return startRendering(talk, act({ prompt: 'Looks around slowly.', duration_ms }))
}

/** Audio that goes on for a while; of it nothing is told but that it is rendered. */
export function startAudio(talk: Talk, { graceMs }: BusySession): Promise<Speaking> {
  return startRendering(talk, silentAudio(Math.min(mostOf(talk), actionMs + 2 * graceMs) / 1_000))
}

/**
 * How long it may be, in milliseconds: shorter than an event may take, and longer than an interruption may take to show, or one
 * without effect could not be told from a slow one.
 */
const mostOf = ({ patience }: Talk): number => 0.75 * patience

async function startRendering(talk: Talk, response: JsonObject): Promise<Speaking> {
  const begun = await start(talk, response)
  const rendering = await talk.hear(renderStarted, begun.start?.frame ?? 0)
  const rendered = await listen(talk, begun, '', rendering)
  return { ...rendered, short: wasCut(rendered) }
}

async function startSpeech(talk: Talk, after: (typeof moments)[number]['after']): Promise<Speaking> {
  const words = story(talk, longText)
  const begun = await start(talk, speech(words))
  const told = await talk.hear(event(after), begun.start?.frame ?? 0)
  const speaking = await listen(talk, begun, words, told)
  return { ...speaking, short: wasCut(speaking) }
}

/**
 * What waits for something that renders does not cut that short; before its turn comes, it is cleared by what interrupts both.
 * Whether the text is whole tells nothing of that: there may be none, or all of it is out.
 */
const queueBeside = claiming({ scheduling: 'after-current-leaves-active' }).step(
  async (talk, busy: BusySession, old: Speaking) => {
    const cut = { ...old.done.match.where, '/response/status': 'cancelled' }
    await queue(talk, busy, old, story(talk, 40), {
      expect: (it) => {
        // Behind it comes the event that shows that it was read, and then what interrupts both.
        const goesOn = talk.never(event('response.done', cut), it.at, talk.after(2))
        return { 'scheduling.after-current-leaves-active': onlyIf([it.active, it.notRejected], goesOn) }
      },
    })
  },
)

/**
 * `reject_if_busy` beside what is rendering, and something that is to wait. What goes on for a while after is interrupted:
 * nobody needs to hear all of it.
 *
 * @returns that it was seen to be active
 */
const rejectBeside = claiming({ scheduling: 'reject-if-busy-rendering-rejected' }, queueBeside).step(
  async (talk, busy: BusySession, old: Speaking): Promise<boolean> => {
    const words = story(talk, 40)
    const met = await meet(talk, busy, old, speech(words, { scheduling_policy: 'reject_if_busy' }), (it) => {
      // It was rendering when the other was handled: it was cut, or went on rendering for a while.
      const from = { event: old.created }
      const begun = before({ event: talk.event(renderStarted, from) }, it.at)
      const stopped = talk.event(eventOf('response.render.stopped', old.responseId), from)
      const goesOn = before({ event: it.pong, plus_ms: busy.graceMs }, { event: stopped })
      const rendering = [begun, it.active, any(old.short, goesOn)]
      return { 'scheduling.reject-if-busy-rendering-rejected': onlyIf(rendering, it.rejected) }
    })
    await hearOutcome(talk, met)
    await queueBeside(talk, busy, old)
    await talk.channel.watch(busy.graceMs + 50)
    const proven = met.wasBusy()
    await respond(talk, speech('Thank you.'))
    await quiet(talk)
    return proven
  },
)

/** Beside an action, beside audio, and beside a speech whose whole text, or whose item, has come. */
export const rejectWhileRendering = claiming({}, rejectBeside).step(async (talk, busy: BusySession) => {
  await rejectBeside(talk, busy, await startAction(talk, busy))
  await rejectBeside(talk, busy, await startAudio(talk, busy))
  for (const { after, rounds } of moments) {
    for (let round = 0; round < rounds; round += 1) {
      if (await rejectBeside(talk, busy, await startSpeech(talk, after))) break
    }
  }
})

/** An interrupted rendering is cut short, and told to have stopped, whatever it gives way to. */
export const interruptRendering = claiming({
  scheduling: 'interrupted-gets-render-stopped interrupt-cancels-active',
}).step(async (talk, busy: BusySession) => {
  for (const [begin, response] of [
    [startAction, speech(story(talk, 40), { scheduling_policy: 'interrupt' })],
    [startAction, silentAudio(0.3)],
    [startAudio, act({ prompt: 'Nods.', duration_ms: 500 })],
  ] as const) {
    const old = await begin(talk, lastingBeyond(busy, cutGraceMs))
    const own = eventOf('response.render.stopped', old.responseId)
    const met = await meet(talk, busy, old, response, (it) => {
      const stopped = talk.eventually(own, { event: old.created })
      const begun = before({ event: talk.event(renderStarted, { event: old.created }) }, it.at)
      const goesOn = before({ event: it.pong, plus_ms: cutGraceMs }, { event: old.done })
      const seen = [begun, it.started, old.endIsOwn]
      return {
        'scheduling.interrupted-gets-render-stopped': onlyIf([begun, it.active, it.started], stopped),
        'scheduling.interrupt-cancels-active': whileBusy(it, old.short, ...seen, any(old.short, goesOn)),
      }
    })
    await talk.hear(met.created.match, met.frame)
    await talk.hear(own, old.start?.frame ?? 0)
    await quiet(talk)
  }
})

/** A speech whose whole text is out is still active while it is rendered: it does not speak on beside what interrupts it. */
export const interruptTold = claiming({ scheduling: 'interrupt-cancels-active' }).step(
  async (talk, busy: BusySession) => {
    const old = await startSpeech(talk, 'response.output_text.done')
    const from = { event: old.created }
    const own = eventOf('response.render.stopped', old.responseId)
    const met = await meet(talk, busy, old, speech(story(talk, 40), { scheduling_policy: 'interrupt' }), (it) => {
      const begun = before({ event: talk.event(renderStarted, from) }, it.at)
      // How late the end is told is free, and so is the status of what was told whole: that all of it was rendered is not.
      const whole = talk.event(eventOf('response.render.stopped', old.responseId, { '/status': 'completed' }), from)
      const spokeOn = before({ event: it.pong, plus_ms: cutGraceMs }, { event: whole })
      const seen = [begun, it.active, it.started, old.endIsOwn, any(old.short, spokeOn)]
      return { 'scheduling.interrupt-cancels-active': onlyIf(seen, old.short) }
    })
    await talk.hear(met.created.match, met.frame)
    await talk.hear(own, old.start?.frame ?? 0)
    await quiet(talk)
  },
)

/** "in `video_avatar` mode, after `response.done`" @returns that what waits comes to run */
export const waitForDone = claiming({
  scheduling: 'after-current-queued after-current-not-before-done-in-video after-current-runs',
}).step(async (talk, busy: BusySession): Promise<Condition> => {
  const words = story(talk, 40)
  const nod = act({ prompt: 'Nods.', duration_ms: 500 })
  // Audio that waits is to be taken where audio is taken at all.
  const taken: Condition[] = []
  const runs: Condition[] = []
  for (const [begin, said, response] of [
    [startAction, words, speech(words)],
    [startAudio, '', nod],
    [startAction, '', silentAudio(0.3)],
  ] as const) {
    const old = await begin(talk, busy)
    const waiting = await queue(talk, busy, old, said, {
      response,
      expect: (it) => {
        const after = before({ event: old.done }, { event: it.created })
        return {
          'scheduling.after-current-queued': whileBusy(it, it.notRejected, ...taken),
          'scheduling.after-current-not-before-done-in-video': whileBusy(it, after),
          'scheduling.after-current-runs': whileBusy(it, it.runs, completed(old), it.notRejected),
        }
      },
    })
    if (begin === startAudio) taken.push(old.started)
    runs.push(all(waiting.notRejected, waiting.runs))
    await hearBoth(talk, old, waiting)
    await quiet(talk)
  }
  return any(...runs)
})
