import type { Override } from '#target/behaviour/behaviour'
import { beforeConnect } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { append, around, remembering, set } from '#target/overrides/operators'
import type { ResponseKind } from '#target/responses/run'
import { objectAt } from '#target/wire'
import { askedFor, endsIncomplete, staysBusy } from '../../tools/busy.ts'
import { dropPending, halved } from '../../tools/control-channel.ts'
import { isInVideo } from '../../tools/modes.ts'
import { defectsOf } from '../../tools/table.ts'

/** Whoever waits with a response of this kind is forgotten when the active one ends. */
const neverRuns = (kind: ResponseKind): Override =>
  append('outgoing', (event, session) => {
    if (event['type'] === 'response.done') session.pending = session.pending.filter(({ plan }) => plan.kind !== kind)
    return [event]
  })

export const schedulingAfterDefects = defectsOf('control-channel.scheduling', {
  'after-current-idle-starts: Without a current response nothing comes after it.': set(
    'scheduling.decide.after_current_response',
    (session, busy) => (!busy ? 'reject' : session.pending.length === 0 ? 'queue' : 'reject'),
  ),
  'after-current-idle-starts~video: In video nothing comes after a current response that there is not.': around(
    'scheduling.decide.after_current_response',
    (after) => (session, busy, sender) => (!busy && isInVideo(session) ? 'reject' : after(session, busy, sender)),
  ),
  'after-current-idle-starts~incomplete: after_current_response is rejected after a response that ended incomplete.':
    staysBusy(endsIncomplete, (busy) =>
      around(
        'scheduling.decide.after_current_response',
        (after) => (session, active, sender) => (busy.has(session) ? 'reject' : after(session, active, sender)),
      ),
    ),
  'after-current-runs~joined: Another connection that opens clears the pending response.': beforeConnect((session) => {
    if (session.connections.size > 0) dropPending(session)
  }),
  'after-current-runs~item: An item of the client clears the pending response.': append(
    'outgoing',
    (event, session) => {
      if (event['type'] === 'conversation.item.created' && objectAt(event, 'item')['role'] === 'user')
        dropPending(session)
      return [event]
    },
  ),
  'after-current-runs~unknown-type: An event of an unknown type clears the pending response.': append(
    'outgoing',
    (event, session) => {
      if (event['type'] === 'error' && objectAt(event, 'error')['code'] === 'unknown_event') dropPending(session)
      return [event]
    },
  ),
  'after-current-queued~behind-audio: Nothing can wait for audio.': around(
    'scheduling.decide.after_current_response',
    (after) => (session, busy, sender) =>
      session.response?.plan.kind === 'audio' ? 'reject' : after(session, busy, sender),
  ),
  'after-current-queued~registered: A registered text cannot wait.': askedFor(
    (response) => objectAt(objectAt(response, 'script'), 'vocal')['type'] === 'speech_asset',
    (isRegistered) =>
      around('scheduling.decide.after_current_response', (after) => (session, busy, sender) => {
        const decision = after(session, busy, sender)
        return decision === 'queue' && isRegistered(session) ? 'reject' : decision
      }),
  ),
  'after-current-queued: A busy session refuses to queue.': set(
    'scheduling.decide.after_current_response',
    (_session, busy) => (busy ? 'reject' : 'start'),
  ),
  'after-current-runs~asker-left: A connection that ends takes the pending response with it.': set(
    'channel.takesAlong',
    'pending',
  ),
  'after-current-runs: A pending response never runs.': set('scheduling.runsPending', () => false),
  'after-current-runs~third: The third response of a session that has to wait never runs.': remembering(() => {
    const queued = memory(() => ({ count: 0 }))
    return [
      around('scheduling.decide.after_current_response', (after) => (session, busy, sender) => {
        const decision = after(session, busy, sender)
        if (decision === 'queue') queued(session).count += 1
        return decision
      }),
      append('outgoing', (event, session) => {
        if (event['type'] === 'response.done' && queued(session).count === 3) session.pending = []
        return [event]
      }),
    ]
  }),
  'after-current-runs~incomplete: A pending response does not run after one that ended incomplete.': set(
    'scheduling.runsPending',
    (done) => done.status !== 'incomplete',
  ),
  'after-current-runs~reply: A reply of the model that waits never runs.': neverRuns('reply'),
  'after-current-runs~action: An action that waits never runs.': neverRuns('visual'),
  'after-current-runs~invalid-between: An invalid request clears the pending response.': ({ validations }) => {
    for (const validation of Object.values(validations.responseCreate)) {
      const { broken } = validation
      validation.broken = (input) => {
        const refused = broken(input)
        if (refused) dropPending(input.session)
        return refused
      }
    }
  },
  'after-current-runs~invalid-interrupt: An invalid request that would interrupt clears the pending response.': ({
    validations,
  }) => {
    for (const validation of Object.values(validations.responseCreate)) {
      const { broken } = validation
      validation.broken = (input) => {
        const refused = broken(input)
        if (refused && input.response['scheduling_policy'] === 'interrupt') dropPending(input.session)
        return refused
      }
    }
  },
  'after-current-not-before-output-ends: A pending response starts beside the active one.': set(
    'scheduling.decide.after_current_response',
    () => 'start',
  ),
  'after-current-not-before-output-ends~out-of-band: Nothing waits for a response that is out of band.': around(
    'scheduling.decide.after_current_response',
    (wait) => (session, busy, sender) =>
      session.response?.plan.conversation === 'none' ? 'start' : wait(session, busy, sender),
  ),
  'after-current-not-before-done-in-video: In video a pending response starts just before the end of the active one.':
    set('scheduling.pendingBeforeDone', (mode) => mode === 'video_avatar'),
  'after-current-leaves-active~told: What is to wait cuts a speech of which the whole text is out.': around(
    'scheduling.decide.after_current_response',
    (after) => (session, busy, sender) =>
      session.response?.reached.has('response.output_text.done') === true ? 'interrupt' : after(session, busy, sender),
  ),
  'after-current-leaves-active: Queuing ends the active response.': set('scheduling.queueCuts', true),
  'after-current-brings-own-text: A pending response brings half its text.': set('scheduling.pendingPlan', halved),
  'after-current-runs~behind-call: A pending response does not run after a function call.': set(
    'scheduling.runsPending',
    ({ plan }) => plan.kind !== 'tool_call',
  ),
  'after-current-runs~audio: Audio that waits never runs.': neverRuns('audio'),
})
