import type { Override } from '#target/behaviour/behaviour'
import { validation } from '#target/behaviour/validations/input-validation'
import { demand } from '#target/behaviour/validations/waive'
import { memory } from '#target/overrides/memory'
import { append, around, remembering, set, several } from '#target/overrides/operators'
import type { PendingResponse, ResponsePlan, ResponseRun } from '#target/responses/run'
import type { Session } from '#target/sessions/session'
import { type JsonObject, textOf } from '#target/wire'
import { halved } from '../../tools/control-channel.ts'
import { byAsker } from '../../tools/senders.ts'
import { defectsOf } from '../../tools/table.ts'

/** Events of a response that begins and is cancelled with nothing in between. */
function beginningAndEnd(requestId: string): JsonObject[] {
  const resource = (status: string): JsonObject => ({
    id: `resp_of_${requestId}`,
    status,
    status_details: null,
    output: [],
  })
  return [
    {
      event_id: `begun_${requestId}`,
      type: 'response.created',
      response: resource('in_progress'),
      request_event_id: requestId,
    },
    { event_id: `ended_${requestId}`, type: 'response.done', response: resource('cancelled') },
  ]
}

/** Such a response does not do all that an interruption does. */
const interrupting =
  (fits: (plan: ResponsePlan) => boolean, part: 'interruptCancels' | 'interruptClearsPending'): Override =>
  (behaviour) => {
    const { submitted } = behaviour.scheduling
    behaviour.scheduling.submitted = (asked, session) => {
      const plan = submitted(asked, session)
      behaviour.scheduling[part] = !fits(plan)
      return plan
    }
  }

/** Such a response is not interrupted by what comes. */
const runsOn = (isSo: (run: ResponseRun) => boolean): Override =>
  around(
    'scheduling.decide.interrupt',
    (interrupt) => (session, busy, asked) =>
      session.response !== undefined && isSo(session.response) ? 'start' : interrupt(session, busy, asked),
  )

/** An interruption leaves what waits, where this is so. */
const leavesPending = (when: (session: Session, asked: unknown) => boolean): Override =>
  remembering(() => {
    const kept = memory(() => ({ pending: [] as PendingResponse[] }))
    return [
      around('scheduling.decide.interrupt', (interrupt) => (session, busy, asked) => {
        if (when(session, asked)) kept(session).pending = [...session.pending]
        return interrupt(session, busy, asked)
      }),
      append('outgoing', (event, session) => {
        const { pending } = kept(session)
        if (event['type'] !== 'response.created' || pending.length === 0) return [event]
        session.pending = pending
        kept(session).pending = []
        return [event]
      }),
    ]
  })

export const schedulingDefects = defectsOf('control-channel.scheduling', {
  'interrupt-idle-starts: `interrupt` needs something to interrupt.': set(
    'scheduling.decide.interrupt',
    (_session, busy, asked) => (busy ? 'interrupt' : asked === 'interrupt' ? 'reject' : 'start'),
  ),
  'interrupt-starts-new: An interruption ends the old response and starts none.': set('scheduling.interruptOrder', [
    'cut',
  ]),
  'interrupt-cancels-active: An interruption lets the old response run on.': set('scheduling.interruptCancels', false),
  'interrupt-cancels-active~interrupting: A response that interrupted another cannot be interrupted itself: both run.':
    runsOn((run) => run.origin === 'interrupt'),
  'interrupt-cancels-active~out-of-band: A response that is out of band is not interrupted: both run.': runsOn(
    (run) => run.plan.conversation === 'none',
  ),
  'interrupt-cancels-active~by-out-of-band: What is out of band does not interrupt: both run.': interrupting(
    ({ conversation }) => conversation === 'none',
    'interruptCancels',
  ),
  'interrupt-cancels-active~by-audio: Audio does not interrupt: both run.': interrupting(
    ({ kind }) => kind === 'audio',
    'interruptCancels',
  ),
  'interrupt-cancels-active~by-reply: A reply of the model does not interrupt: both run.': interrupting(
    ({ kind }) => kind === 'reply',
    'interruptCancels',
  ),
  'interrupt-cancels-active~other-connection: What comes over another connection waits and does not interrupt.':
    byAsker((isOfOther) => [
      around(
        'scheduling.decide.interrupt',
        (interrupt) => (session, busy, asked) =>
          busy && isOfOther(session) ? 'queue' : interrupt(session, busy, asked),
      ),
    ]),
  'interrupt-cancels-active~registered: A registered text is not interrupted: both run.': runsOn(
    (run) => run.plan.kind === 'speech_asset',
  ),
  'interrupt-cancels-active~waited: A response that had waited is not interrupted: both run.': runsOn(
    (run) => run.origin === 'pending',
  ),
  'interrupt-clears-pending~out-of-band: An interruption that is out of band leaves the pending response.':
    interrupting(({ conversation }) => conversation === 'none', 'interruptClearsPending'),
  'interrupt-cancels-active~action: An action is not interrupted: both run.': runsOn(
    (run) => run.plan.kind === 'visual',
  ),
  'interrupt-cancels-active~audio: Supplied audio is not interrupted: both run.': runsOn(
    (run) => run.plan.kind === 'audio',
  ),
  'interrupt-cancels-active~told: A speech whose whole text is out is not interrupted: both are rendered.': several(
    around('pace.tailMs', (tail) => (text) => (text.length > 1_000 ? 2_500 : tail(text))),
    runsOn((run) => run.plan.kind === 'speech' && run.reached.has('response.output_text.done')),
  ),
  'interrupt-is-default: The default is to wait.': set(
    'scheduling.policy',
    (asked) => textOf(asked) ?? 'after_current_response',
  ),
  'interrupt-is-default~reject: The default is to refuse.': set(
    'scheduling.policy',
    (asked) => textOf(asked) ?? 'reject_if_busy',
  ),
  'interrupt-is-default~sticky: A request without policy behind one with reject_if_busy has that one.': ({
    validations,
    scheduling,
  }) => {
    const last = memory(() => ({ policy: undefined as string | undefined }))
    let current: Session | undefined
    demand(
      validations.responseCreate,
      'seen-by-defect',
      validation('4.4', 'response', ({ session }) => {
        current = session
        return false
      }),
    )
    const { policy } = scheduling
    scheduling.policy = (asked) => {
      if (current === undefined) return policy(asked)
      if (typeof asked === 'string') last(current).policy = asked
      return asked === undefined && last(current).policy === 'reject_if_busy' ? 'reject_if_busy' : policy(asked)
    }
  },
  'interrupt-new-completes: An interrupting response brings half its text.': set('scheduling.interruptingPlan', halved),
  'interrupt-clears-pending: An interruption leaves the pending response.': set(
    'scheduling.interruptClearsPending',
    false,
  ),
  'interrupt-clears-pending~default: An interruption that names no policy leaves the pending response.': leavesPending(
    (_session, asked) => asked === undefined,
  ),
  'interrupt-clears-pending~video: In video an interruption that names its policy leaves the pending response.':
    leavesPending(({ state }, asked) => asked !== undefined && state.mode === 'video_avatar'),
  'interrupt-clears-pending~told: What an interruption clears is told as begun, and cancelled at once.': remembering(
    () => {
      const cleared = memory(() => ({ ids: [] as string[] }))
      return [
        around('scheduling.decide.interrupt', (interrupt) => (session, busy, asked) => {
          const decision = interrupt(session, busy, asked)
          if (decision === 'interrupt') {
            cleared(session).ids = session.pending.flatMap(({ plan }) => plan.requestEventId ?? [])
          }
          return decision
        }),
        append('outgoing', (event, session) => {
          const { ids } = cleared(session)
          cleared(session).ids = []
          return [...ids.flatMap(beginningAndEnd), event]
        }),
      ]
    },
  ),
  'interrupt-clears-pending~second: The second interruption of a session leaves the pending response.': remembering(
    () => {
      const seen = memory(() => ({ count: 0, kept: [] as PendingResponse[] }))
      return [
        around('scheduling.decide.interrupt', (interrupt) => (session, busy, asked) => {
          const decision = interrupt(session, busy, asked)
          const known = seen(session)
          if (decision === 'interrupt' && session.pending.length > 0) known.count += 1
          known.kept = decision === 'interrupt' && known.count === 2 ? [...session.pending] : []
          return decision
        }),
        append('outgoing', (event, session) => {
          const { kept } = seen(session)
          if (event['type'] === 'response.created' && kept.length > 0) session.pending = kept.splice(0)
          return [event]
        }),
      ]
    },
  ),
  'interrupt-leaves-later-pending: After an interrupting response nothing pending runs.': set(
    'scheduling.runsPending',
    ({ origin }) => origin !== 'interrupt',
  ),
})
