import type { Condition } from '#trace/claim'
import { absent, all, before, different, event, inEvent } from '#trace/conditions'
import { guide, host, lookUp, speech, textChat, userMessage } from '../bodies.ts'
import { isTold, onlyIf } from '../expectation.ts'
import { makeItem, retrieve, seek } from '../items/items.ts'
import { output, writeItem } from '../items/write.ts'
import { story } from '../responses/busy.ts'
import { asking, quiet, start, startsAfter } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { hearAnnounced, warmUp } from '../speech/speeches.ts'
import { claiming, ofOneSession } from '../step.ts'
import type { Talk } from '../talk.ts'
import { type Lured, type ToolCall, lure, names, tool } from './calls.ts'
import { meetCalls } from './meet.ts'

/** A model may call nothing, whatever it is told: what would be judged of a call is then left open as its choice. */
const callFirst = claiming({
  'output-item-done':
    'function-call-told function-call-name function-call-arguments function-call-call-id function-call-name-offered',
  render: 'tool-calls-reach-done',
}).step(
  async (talk, words: string): Promise<ToolCall> =>
    lure(talk, words, undefined, (it) => {
      const done = talk.inTime(event('response.done'), { event: it.call }, undefined, { within: talk.modelPatience })
      return {
        'output-item-done.function-call-told': onlyIf(it.called, it.told),
        'output-item-done.function-call-name-offered': onlyIf(it.called, names(it, 'look_up')),
        'output-item-done.function-call-name': shows(it, '/item/name'),
        'output-item-done.function-call-arguments': shows(it, '/item/arguments'),
        'output-item-done.function-call-call-id': shows(it, '/item/call_id'),
        'render.tool-calls-reach-done': onlyIf([it.called, it.told], done),
      }
    }),
)

const shows = (it: Lured, place: string) => onlyIf([it.called, it.told], different(inEvent(it.call, place), absent))

/** A call is written to the conversation like any other output, and as it was told. */
async function findCall(talk: Talk, { callItem, told }: ToolCall): Promise<Condition> {
  if (callItem === undefined) return told
  await hearAnnounced(talk, callItem)
  return (await retrieve(talk, callItem)).confirmed
}

/**
 * The call of an out-of-band response is told, and not written.
 *
 * @param known an item of the conversation
 * @param found a call that is no aside was told, and found
 */
const callAside = claiming({ 'response-create': 'none-output-not-written' }).step(
  async (talk, words: string, known: string, found: readonly Condition[]) => {
    const { told, callItem } = await lure(talk, words, { conversation: 'none' })
    if (callItem === undefined) return
    await seek(talk, callItem, known, ({ nothing, unseen }) => ({
      'response-create.none-output-not-written': onlyIf([...found, told], all(nothing, unseen)),
    }))
  },
)

/** "Wait for `conversation.item.created` before a `response.create`; same sequence for tool results." */
const giveResult = claiming({ 'output-item-done': 'function-call-result-accepted function-call-goes-on' }).step(
  async (talk, first: ToolCall) => {
    const identified = isTold(inEvent(first.call, '/item/call_id'))
    const { confirmed } = await writeItem(talk, output(first.callId ?? 'none'), {
      accepted: 'output-item-done.function-call-result-accepted',
      given: [first.called, first.told, ...identified],
      choice: true,
    })
    await start(talk, undefined, ({ started }) => ({
      'output-item-done.function-call-goes-on': onlyIf([first.called, first.told, ...identified, confirmed], started),
    }))
    await quiet(talk)
  },
)

/** @param called the tools of the session are called without any override; a call that waits for its output keeps nothing busy */
const overrideTools = claiming({
  'response-create': 'tools-override tools-empty-override tools-this-response-only',
  'output-item-done': 'function-call-name-offered',
  scheduling: 'idle-after-done after-current-idle-starts',
}).step(async (talk, words: string, called: Condition) => {
  const bell = await lure(talk, words, { tools: [tool('ring_bell')] }, (it) => ({
    'response-create.tools-override': onlyIf(called, it.none('look_up')),
    'output-item-done.function-call-name-offered': onlyIf(it.called, names(it, 'ring_bell')),
  }))
  await lure(talk, words, { tools: [], scheduling_policy: 'reject_if_busy' }, (it) => ({
    'response-create.tools-empty-override': onlyIf(called, it.none()),
    'scheduling.idle-after-done': startsAfter(bell, it),
  }))
  // One that waits has tools of its own, too.
  await start(talk, speech(story(talk, 40)))
  const waiting = { tools: [], scheduling_policy: 'after_current_response' }
  await lure(talk, words, waiting, (it) => ({ 'response-create.tools-empty-override': onlyIf(called, it.none()) }))
  const both = await lure(talk, words, { tools: [tool('ring_bell'), tool('sound_horn')] })
  await lure(talk, words, { scheduling_policy: 'after_current_response' }, (it) => ({
    'response-create.tools-this-response-only': onlyIf(called, it.none('ring_bell')),
    'scheduling.after-current-idle-starts': startsAfter(both, it),
  }))
})

/** Tools are no part of what an update changes, wherever they stand in it; it may be refused for them. */
const updateTools = claiming({ 'session-update': 'tools-immutable' }).step(
  async (talk, words: string, called: Condition) => {
    const tools = [tool('open_gate')]
    for (const [avatar, extra] of [
      [host, { tools }],
      [guide, { conversation: { tools } }],
    ] as const) {
      const id = talk.context.id('update')
      const session = { active_avatar_id: avatar, ...extra }
      const frame = talk.send({ type: 'session.update', event_id: id, session, ...extra })
      const answer = { where: { '/type': { $in: ['session.updated', 'error'] } } }
      const answered = before({ event: talk.event(answer, { frame }) }, talk.coming)
      await talk.hearRefusal(id, frame, [event('session.updated')], 'update')
      await lure(talk, words, {}, (it) => ({
        'session-update.tools-immutable': onlyIf([called, answered], it.none('open_gate')),
      }))
    }
  },
)

/** Words that make the model call a function, and what tools it has then. */
export const toolCalls = ofOneSession({
  id: 'control-channel.tools',
  steps: [callFirst, giveResult, overrideTools, callAside, meetCalls, updateTools, asking],
  observes: rows({
    'response-done': 'all-output-items',
    'item-retrieve': 'content',
  }),
  needs: { abilities: ['tool_calls'], triggers: ['tool_call_text'] },
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 2 },
  make: (context) => context.create(textChat({ tools: [lookUp] })),
  async speak(scene, session) {
    const words = scene.context.profile.triggers?.tool_call_text ?? ''
    const talk = await scene.connect(session)
    await warmUp(talk)
    const { id: known = '' } = await makeItem(talk, userMessage('Please listen.'))
    const first = await callFirst(talk, words)
    const found = await findCall(talk, first)
    await giveResult(talk, first)
    await overrideTools(talk, words, first.called)
    await callAside(talk, words, known, [first.told, found])
    await meetCalls(talk, words)
    await updateTools(talk, words, first.called)
    await talk.leave()
  },
})
