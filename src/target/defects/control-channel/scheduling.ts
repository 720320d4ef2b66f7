import type { Behaviour } from '#target/behaviour/behaviour'
import type { CutCause, LifeStep } from '#target/behaviour/responses'
import type { ResponsePlan } from '#target/responses/run'
import { textOf } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory } from '../tools.ts'

/** Leaves a step out of how a cut response ends. */
const cutWithout = ({ responses }: Behaviour, step: LifeStep, cause: CutCause): void => {
  const { cutOrder } = responses
  responses.cutOrder = (why) => (why === cause ? cutOrder(why).filter((one) => one !== step) : cutOrder(why))
}
const endAs = ({ responses }: Behaviour, cause: CutCause, status: string): void => {
  const { cutStatus } = responses
  responses.cutStatus = (why, run) => (why === cause ? status : cutStatus(why, run))
}
const halved = (plan: ResponsePlan): ResponsePlan => ({
  ...plan,
  text: plan.text?.slice(0, Math.ceil(plan.text.length / 2)),
})

const cancelDefects = defectsOf('control-channel', {
  'response-cancel.active-ends': [
    'A cancelled response falls silent.',
    (b) => cutWithout(b, 'response.done', 'cancel'),
  ],
  'response-cancel.active-cut-short': [
    'A cancel is accepted and does nothing.',
    ({ scheduling }) => void (scheduling.cancelCuts = () => false),
  ],
  'response-cancel.status': ['A cancelled response ends completed.', (b) => endAs(b, 'cancel', 'completed')],
  'response-cancel.frees-session': [
    'After a cancel the session stays busy.',
    ({ scheduling }) => {
      const { decide } = scheduling
      scheduling.cutFrees = (cause) => cause !== 'cancel'
      const { interrupt } = decide
      decide.interrupt = (session, busy, asked) =>
        session.response?.reached.has('response.done') === true ? 'reject' : interrupt(session, busy, asked)
    },
  ],
  'response-cancel.known-type': [
    'A cancel is an unknown event.',
    ({ frames }) => {
      const { 'type-unknown': fault } = frames
      const { broken } = fault
      fault.broken = (frame) => broken(frame) || frame.event?.['type'] === 'response.cancel'
    },
  ],
})

const interruptDefects = defectsOf('control-channel', {
  'scheduling.interrupt-idle-starts': [
    '`interrupt` needs something to interrupt.',
    ({ scheduling }) => {
      scheduling.decide.interrupt = (_session, busy, asked) =>
        busy ? 'interrupt' : asked === 'interrupt' ? 'reject' : 'start'
    },
  ],
  'scheduling.interrupt-starts-new': [
    'An interruption ends the old response and starts none.',
    ({ scheduling }) => void (scheduling.interruptOrder = ['cut']),
  ],
  'scheduling.interrupt-cancels-active': [
    'An interruption lets the old response run on.',
    ({ scheduling }) => void (scheduling.interruptCancels = false),
  ],
  'scheduling.interrupt-is-default': [
    'The default is to wait.',
    ({ scheduling }) => void (scheduling.policy = (asked) => textOf(asked) ?? 'after_current_response'),
  ],
  'scheduling.interrupt-is-default~reject': [
    'The default is to refuse.',
    ({ scheduling }) => void (scheduling.policy = (asked) => textOf(asked) ?? 'reject_if_busy'),
  ],
  'scheduling.interrupted-status': [
    'An interrupted response ends completed.',
    (b) => endAs(b, 'interrupt', 'completed'),
  ],
  'scheduling.interrupted-gets-done': [
    'An interrupted response falls silent.',
    (b) => cutWithout(b, 'response.done', 'interrupt'),
  ],
  'scheduling.interrupted-gets-item-done': [
    'The item of an interrupted response is never done.',
    (b) => cutWithout(b, 'response.output_item.done', 'interrupt'),
  ],
  'scheduling.interrupted-gets-render-stopped': [
    'The rendering of an interrupted response never stops.',
    (b) => cutWithout(b, 'response.render.stopped', 'interrupt'),
  ],
  'scheduling.interrupt-new-completes': [
    'An interrupting response brings half its text.',
    ({ scheduling }) => void (scheduling.interruptingPlan = halved),
  ],
  'scheduling.interrupt-clears-pending': [
    'An interruption leaves the pending response.',
    ({ scheduling }) => void (scheduling.interruptClearsPending = false),
  ],
  'scheduling.interrupt-leaves-later-pending': [
    'After an interrupting response nothing pending runs.',
    ({ scheduling }) => void (scheduling.runsPending = ({ origin }) => origin !== 'interrupt'),
  ],
})

const rejectDefects = defectsOf('control-channel', {
  'scheduling.reject-if-busy-idle-starts': [
    '`reject_if_busy` is refused in an idle session.',
    ({ scheduling }) => void (scheduling.decide.reject_if_busy = () => 'reject'),
  ],
  'scheduling.reject-if-busy-active-rejected': [
    '`reject_if_busy` interrupts.',
    ({ scheduling }) => {
      scheduling.decide.reject_if_busy = (session, busy) =>
        busy && session.pending.length === 0 ? 'interrupt' : busy ? 'reject' : 'start'
    },
  ],
  'scheduling.reject-if-busy-rendering-rejected': [
    'A response that renders is not busy.',
    ({ scheduling }) => {
      scheduling.decide.reject_if_busy = (session, busy) =>
        session.response?.reached.has('response.render.started') === true ? 'interrupt' : busy ? 'reject' : 'start'
    },
  ],
  'scheduling.reject-if-busy-rendering-rejected~text-told': [
    'A response whose text has come is not busy.',
    ({ scheduling }) => {
      scheduling.decide.reject_if_busy = (session, busy) =>
        session.response?.reached.has('response.output_text.done') === true ? 'interrupt' : busy ? 'reject' : 'start'
    },
  ],
  'scheduling.reject-if-busy-pending-rejected': [
    '`reject_if_busy` takes the place of a pending response.',
    ({ scheduling }) => {
      scheduling.decide.reject_if_busy = (session, busy) =>
        session.pending.length > 0 ? 'interrupt' : busy ? 'reject' : 'start'
    },
  ],
  'scheduling.reject-if-busy-never-starts': [
    'What `reject_if_busy` refused starts later.',
    ({ scheduling }) => {
      scheduling.decide.reject_if_busy = (session, busy) =>
        busy ? (session.pending.length === 0 ? 'refuse-and-queue' : 'reject') : 'start'
    },
  ],
  'scheduling.reject-if-busy-leaves-active': [
    'A refusal ends the active response.',
    ({ scheduling }) => void (scheduling.refusalCuts = (valid) => valid),
  ],
  'scheduling.reject-if-busy-leaves-pending': [
    'A refusal clears the pending response.',
    ({ scheduling }) => {
      const { reject_if_busy: decide } = scheduling.decide
      scheduling.decide.reject_if_busy = (session, busy) => {
        session.pending = []
        return decide(session, busy)
      }
    },
  ],
  'scheduling.reject-if-busy-one-of-a-volley': [
    'A response counts as active a little after its start.',
    ({ scheduling }) => {
      scheduling.decide.reject_if_busy = (session, busy) =>
        busy && Date.now() - (session.response?.startedAt ?? 0) > 40 ? 'reject' : 'start'
    },
  ],
  'scheduling.idle-after-done': [
    'A session stays busy for three seconds after a response.',
    (b) => {
      const last = memory(() => ({ at: 0 }))
      b.outgoing.push((event, session) => {
        if (event['type'] === 'response.done') last(session).at = Date.now()
        return [event]
      })
      b.scheduling.decide.reject_if_busy = (session, busy) =>
        busy || Date.now() - last(session).at < 3000 ? 'reject' : 'start'
    },
  ],
})

const waitDefects = defectsOf('control-channel', {
  'scheduling.after-current-idle-starts': [
    'Without a current response nothing comes after it.',
    ({ scheduling }) => {
      scheduling.decide.after_current_response = (session, busy) =>
        !busy ? 'reject' : session.pending.length === 0 ? 'queue' : 'reject'
    },
  ],
  'scheduling.after-current-queued': [
    'A busy session refuses to queue.',
    ({ scheduling }) =>
      void (scheduling.decide.after_current_response = (_session, busy) => (busy ? 'reject' : 'start')),
  ],
  'scheduling.after-current-runs': [
    'A pending response never runs.',
    ({ scheduling }) => void (scheduling.runsPending = () => false),
  ],
  'scheduling.after-current-not-before-output-ends': [
    'A pending response starts beside the active one.',
    ({ scheduling }) => void (scheduling.decide.after_current_response = () => 'start'),
  ],
  'scheduling.after-current-not-before-done-in-video': [
    'In video a pending response starts just before the end of the active one.',
    ({ scheduling }) => void (scheduling.pendingBeforeDone = (mode) => mode === 'video_avatar'),
  ],
  'scheduling.after-current-leaves-active': [
    'Queuing ends the active response.',
    ({ scheduling }) => void (scheduling.queueCuts = true),
  ],
  'scheduling.after-current-brings-own-text': [
    'A pending response brings half its text.',
    ({ scheduling }) => void (scheduling.pendingPlan = halved),
  ],
  'scheduling.pending-one-accepted': [
    'No request may wait.',
    ({ scheduling }) =>
      void (scheduling.decide.after_current_response = (_session, busy) => (busy ? 'reject' : 'start')),
  ],
  'scheduling.pending-second-rejected': [
    'Any number of requests may wait.',
    ({ scheduling }) =>
      void (scheduling.decide.after_current_response = (_session, busy) => (busy ? 'queue' : 'start')),
  ],
  'scheduling.pending-second-never-starts': [
    'A second request is refused and waits all the same.',
    ({ scheduling }) => {
      scheduling.decide.after_current_response = (session, busy) =>
        !busy ? 'start' : session.pending.length === 0 ? 'queue' : 'refuse-and-queue'
    },
  ],
  'scheduling.pending-second-leaves-first': [
    'A second request is refused and clears the first.',
    ({ scheduling }) => {
      scheduling.decide.after_current_response = (session, busy) => {
        if (!busy) return 'start'
        if (session.pending.length === 0) return 'queue'
        session.pending = []
        return 'reject'
      }
    },
  ],
  'scheduling.pending-slot-frees': [
    'A session queues once.',
    ({ scheduling }) => {
      const used = memory(() => ({ once: false }))
      const { after_current_response: decide } = scheduling.decide
      scheduling.decide.after_current_response = (session, busy, sender) => {
        const decision = decide(session, busy, sender)
        if (decision !== 'queue') return decision
        const { once } = used(session)
        used(session).once = true
        return once ? 'reject' : 'queue'
      }
    },
  ],
  'scheduling.pending-runs-once': [
    'A pending response runs twice.',
    ({ scheduling }) => {
      const seen = memory(() => ({ count: 0 }))
      scheduling.requeues = (pending) => {
        seen(pending).count += 1
        return seen(pending).count === 1
      }
    },
  ],
})

export const schedulingDefects = [...cancelDefects, ...interruptDefects, ...rejectDefects, ...waitDefects]
