import type { Scenario } from '#scenario/author/scenario'
import { event } from '#trace/conditions'
import { lookUp, videoAvatar } from '../bodies.ts'
import { setStage } from '../responses/busy.ts'
import { rows } from '../rows.ts'
import { interruptRendering, rejectWhileRendering } from './act.ts'
import { Talk } from '../talk.ts'
import { lure } from '../tools/calls.ts'

/** What becomes of a `response.create` while another response is rendering, and of function calls in video. */
export const schedulingInVideo: Scenario = {
  id: 'control-channel.scheduling-in-video',
  proves: rows(
    'response-created.request-event-id-names-request',
    'scheduling.interrupted-gets-render-stopped',
    'scheduling.reject-if-busy-rendering-rejected',
    'render.not-for-tool-calls',
    'response-done.final-statuses-told',
  ),
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 5 },
  async drive(context) {
    const words = context.offers('tool_calls') ? context.profile.triggers?.tool_call_text : undefined
    const conversation = { turn_detection: { type: 'manual' }, ...(words === undefined ? {} : { tools: [lookUp] }) }
    const session = await context.create({ ...videoAvatar(context), conversation })
    const talk = new Talk(context, await context.connect(session))
    const stage = await setStage(talk, 60)
    if (words !== undefined) await callUnseen(talk, words)
    await rejectWhileRendering(stage)
    await interruptRendering(stage)
    await talk.leave()
  },
}

/** A response that consists of function calls only does not render. */
async function callUnseen(talk: Talk, words: string): Promise<void> {
  await lure(talk, words, {}, (it) => {
    const [from, until] = [{ event: it.created }, { event: it.done }]
    const unseen = talk.never(event('response.render.started'), from, until)
    const spoken = [
      event('response.output_text.delta'),
      event('response.output_item.done', { '/item/type': 'message' }),
    ]
    const callsOnly = talk.never(spoken, from, until)
    talk.claim('render.not-for-tool-calls', unseen, { given: [it.called, callsOnly], choice: true })
  })
}
