import type { Context } from '#scenario/author/context'
import { event } from '#trace/conditions'
import { lookUp, videoAvatar } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { timeSession } from '../responses/busy.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { claiming, ofOneSession } from '../step.ts'
import { lure } from '../tools/calls.ts'
import { interruptRendering, interruptTold, rejectWhileRendering } from './act.ts'

/** A response that consists of function calls only does not render. */
const callUnseen = claiming({ render: 'not-for-tool-calls' }).step(async (talk, words: string) => {
  await lure(talk, words, {}, (it) => {
    const [from, until] = [{ event: it.created }, { event: it.done }]
    const spoken = [
      event('response.output_text.delta'),
      event('response.output_item.done', { '/item/type': 'message' }),
    ]
    const callsOnly = talk.never(spoken, from, until)
    const unseen = talk.never(event('response.render.started'), from, until)
    return { 'render.not-for-tool-calls': onlyIf([it.called, callsOnly], unseen) }
  })
})

/** Words that make the model call a function, where it may be offered any. */
const luring = (context: Context): string | undefined =>
  context.offers('tool_calls') ? context.profile.triggers?.tool_call_text : undefined

/** What becomes of a `response.create` while another response is rendering, and of function calls in video. */
export const schedulingInVideo = ofOneSession({
  id: 'control-channel.scheduling-in-video',
  steps: [callUnseen, rejectWhileRendering, interruptRendering, interruptTold, asking],
  observes: rows({ 'response-done': 'final-statuses-told' }),
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 5 },
  make: (context) => {
    const tools = luring(context) === undefined ? {} : { tools: [lookUp] }
    return context.create({ ...videoAvatar(context), conversation: { turn_detection: { type: 'manual' }, ...tools } })
  },
  async speak(scene, session) {
    const words = luring(scene.context)
    const talk = await scene.connect(session)
    const busy = await timeSession(talk, 60)
    if (words !== undefined) await callUnseen(talk, words)
    await rejectWhileRendering(talk, busy)
    await interruptRendering(talk, busy)
    await interruptTold(talk, busy)
    await talk.leave()
  },
})
