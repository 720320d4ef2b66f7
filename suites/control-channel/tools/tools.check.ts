import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { absent, all, before, different, event, inEvent } from '#trace/conditions'
import { guide, host, lookUp, textChat, userMessage } from '../bodies.ts'
import { makeItem, retrieve, seek } from '../items/items.ts'
import { output, writeItem } from '../items/write.ts'
import { onceDone, quiet, start } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { hearAnnounced, warmUp } from '../speech/speeches.ts'
import { Talk } from '../talk.ts'
import { type Answer, lure, names, tool } from './calls.ts'

/** Words that make the model call a function, and what tools it has then. */
export const toolCalls: Scenario = {
  id: 'control-channel.tools',
  proves: rows(
    'response-created.request-event-id-names-request',
    'session-update.tools-immutable',
    'response-create.tools-override',
    'response-create.tools-empty-override',
    'response-create.tools-this-response-only',
    'render.tool-calls-reach-done',
    'output-item-done.function-call-told',
    'output-item-done.function-call-name',
    'output-item-done.function-call-arguments',
    'output-item-done.function-call-call-id',
    'output-item-done.function-call-name-offered',
    'output-item-done.function-call-result-accepted',
    'output-item-done.function-call-goes-on',
    'item-retrieve.content',
    'response-create.none-output-not-written',
    'scheduling.idle-after-done',
    'scheduling.after-current-idle-starts',
  ),
  needs: { abilities: ['tool_calls'], triggers: ['tool_call_text'] },
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const words = context.profile.triggers?.tool_call_text ?? ''
    const session = await context.create(textChat({ tools: [lookUp] }))
    const talk = new Talk(context, await context.connect(session))
    await warmUp(talk)
    const { id: known = '' } = await makeItem(talk, userMessage('Please listen.'))
    const first = await callFirst(talk, words)
    const found = await findCall(talk, first)
    await giveResult(talk, first)
    await overrideTools(talk, words, first.called)
    await callAside(talk, words, { known, given: [first.told, found] })
    await updateTools(talk, words, first.called)
    await talk.leave()
  },
}

interface Aside {
  /** An item of the conversation. */
  readonly known: string
  /** A call that is no aside was told, and found. */
  readonly given: readonly Condition[]
}

async function callFirst(talk: Talk, words: string): Promise<Answer> {
  return lure(talk, words, undefined, (it) => {
    const options = { given: [it.called], choice: true }
    talk.claim('output-item-done.function-call-told', it.told, options)
    talk.claim('output-item-done.function-call-name-offered', names(it, 'look_up'), options)
    const done = talk.inTime(event('response.done'), { event: it.call }, undefined, { within: talk.modelPatience })
    talk.claim('render.tool-calls-reach-done', done, { given: [it.told], choice: true })
  })
}

/** A call is written to the conversation like any other output, and as it was told. */
async function findCall(talk: Talk, { callItem, told }: Answer): Promise<Condition> {
  if (callItem === undefined) return told
  await hearAnnounced(talk, callItem)
  return (await retrieve(talk, callItem)).confirmed
}

/** The call of an out-of-band response is told, and not written. */
async function callAside(talk: Talk, words: string, { known, given }: Aside): Promise<void> {
  const { told, callItem } = await lure(talk, words, { conversation: 'none' }, () => undefined)
  if (callItem === undefined) return
  await seek(talk, callItem, known, ({ nothing, unseen }) => {
    const options = { given: [...given, told], choice: true }
    talk.claim('response-create.none-output-not-written', all(nothing, unseen), options)
  })
}

/** "Wait for `conversation.item.created` before a `response.create`; same sequence for tool results." */
async function giveResult(talk: Talk, first: Answer): Promise<void> {
  const identified = different(inEvent(first.call, '/item/call_id'), absent)
  const { confirmed } = await writeItem(talk, output(first.callId ?? 'none'), {
    rows: ['output-item-done.function-call-result-accepted'],
    given: [first.told, identified],
    choice: true,
  })
  const options = { given: [first.told, identified, confirmed], choice: true }
  await start(talk, undefined, ({ started }) => {
    talk.claim('output-item-done.function-call-goes-on', started, options)
  })
  await quiet(talk)
}

/** @param called the tools of the session are called without any override; a call that waits for its output keeps nothing busy */
async function overrideTools(talk: Talk, words: string, called: Condition): Promise<void> {
  const options = { given: [called], choice: true }
  const bell = await lure(talk, words, { tools: [tool('ring_bell')] }, (it) => {
    talk.claim('response-create.tools-override', it.none('look_up'), options)
    const offered = { given: [it.called], choice: true }
    talk.claim('output-item-done.function-call-name-offered', names(it, 'ring_bell'), offered)
  })
  await lure(talk, words, { tools: [], scheduling_policy: 'reject_if_busy' }, (it) => {
    talk.claim('response-create.tools-empty-override', it.none(), options)
    talk.claim('scheduling.idle-after-done', it.started, onceDone(bell, it))
  })
  const both = await lure(talk, words, { tools: [tool('ring_bell'), tool('sound_horn')] }, () => undefined)
  await lure(talk, words, { scheduling_policy: 'after_current_response' }, (it) => {
    talk.claim('response-create.tools-this-response-only', it.none('ring_bell'), options)
    talk.claim('scheduling.after-current-idle-starts', it.started, onceDone(both, it))
  })
}

/** Tools are no part of what an update changes, wherever they stand in it; it may be refused for them. */
async function updateTools(talk: Talk, words: string, called: Condition): Promise<void> {
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
    await lure(talk, words, {}, (it) => {
      talk.claim('session-update.tools-immutable', it.none('open_gate'), { given: [called, answered], choice: true })
    })
  }
}
