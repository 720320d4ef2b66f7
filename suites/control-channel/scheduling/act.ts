import { any, before, event } from '#trace/conditions'
import { speech } from '../bodies.ts'
import { eventOf, listen, type Speaking, type Stage, story } from '../responses/busy.ts'
import { cut, type Meeting, meet } from './meeting.ts'
import { quiet, respond, start } from '../responses/responses.ts'
import { completed, hearOutcome } from './reject.ts'
import { hearBoth, queue } from './wait.ts'
import { act } from '../scripts/visual.ts'
import type { ClaimOptions } from '../talk.ts'

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
export async function startAction({ talk, graceMs }: Stage): Promise<Speaking> {
  const duration_ms = Math.round(Math.min(talk.patience / 2, actionMs + 2 * graceMs))
  const begun = await start(talk, act({ prompt: 'Looks around slowly.', duration_ms }))
  const rendering = await talk.hear(renderStarted, begun.start?.frame ?? 0)
  return { ...(await listen(talk, begun, '', rendering)), short: cut(begun) }
}

/** `reject_if_busy` beside an action, and beside a speech whose whole text, or whose item, has come. */
export async function rejectWhileRendering(stage: Stage): Promise<void> {
  await rejectBeside(stage, await startAction(stage))
  for (const moment of moments) {
    for (let round = 0; round < moment.rounds; round += 1) {
      if (await rejectBeside(stage, await startSpeech(stage, moment.after))) break
    }
  }
}

async function startSpeech({ talk }: Stage, after: (typeof moments)[number]['after']): Promise<Speaking> {
  const words = story(talk, longText)
  const begun = await start(talk, speech(words))
  const told = await talk.hear(event(after), begun.start?.frame ?? 0)
  const speaking = await listen(talk, begun, words, told)
  return { ...speaking, short: cut(speaking) }
}

/**
 * What goes on for a while after is interrupted: nobody needs to hear all of it.
 *
 * @returns that it was seen to be active
 */
async function rejectBeside(stage: Stage, old: Speaking): Promise<boolean> {
  const { talk } = stage
  const words = story(talk, 40)
  const met = await meet(stage, old, speech(words, { scheduling_policy: 'reject_if_busy' }), (it) => {
    talk.claim('scheduling.reject-if-busy-rendering-rejected', it.rejected, whileRendering(stage, old, it))
  })
  await hearOutcome(talk, met)
  await talk.channel.watch(stage.graceMs + 50)
  const proven = met.wasBusy()
  await respond(talk, speech('Thank you.'))
  await quiet(talk)
  return proven
}

/** It was rendering when the other was handled: it was cut, or went on rendering for a while. */
function whileRendering({ talk, graceMs }: Stage, old: Speaking, it: Meeting): ClaimOptions {
  const from = { event: old.created }
  const begun = before({ event: talk.event(renderStarted, from) }, it.at)
  const stopped = talk.event(eventOf('response.render.stopped', old.responseId), from)
  const goesOn = before({ event: it.pong, plus_ms: graceMs }, { event: stopped })
  return { given: [begun, it.active, any(old.short, goesOn)], choice: true }
}

/** An interrupted rendering is told to have stopped. */
export async function interruptRendering(stage: Stage): Promise<void> {
  const { talk } = stage
  const old = await startAction(stage)
  const own = eventOf('response.render.stopped', old.responseId)
  const met = await meet(stage, old, speech(story(talk, 40), { scheduling_policy: 'interrupt' }), (it) => {
    const stopped = talk.eventually(own, { event: old.created })
    const begun = before({ event: talk.event(renderStarted, { event: old.created }) }, it.at)
    const options = { given: [begun, it.active, it.started], choice: true }
    talk.claim('scheduling.interrupted-gets-render-stopped', stopped, options)
  })
  await talk.hear(met.created.match, met.frame)
  await talk.hear(own, old.start?.frame ?? 0)
  await quiet(talk)
}

/** "in `video_avatar` mode, after `response.done`" */
export async function waitForDone(stage: Stage): Promise<void> {
  const { talk } = stage
  const old = await startAction(stage)
  const waiting = await queue(stage, old, story(talk, 40), {
    write: (it) => {
      const after = before({ event: old.done }, { event: it.created })
      talk.claim('scheduling.after-current-not-before-done-in-video', after, it.busy)
      talk.claim('scheduling.after-current-runs', it.runs, {
        given: [...(it.busy.given ?? []), completed(old)],
        choice: true,
      })
    },
  })
  await hearBoth(talk, old, waiting)
  await quiet(talk)
}
