import type { PendingResponse } from '#target/responses/run'
import type { Session } from '#target/sessions/session'
import { wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory } from '../tools.ts'

const dropPending = (session: Session): void => {
  session.pending = []
}

/** 4.4 Scheduling: who is busy, and for how long. */
export const subtleSchedulingDefects = defectsOf('control-channel', {
  'scheduling.pending-one-accepted~after-cleared': [
    'A pending response that an interruption cleared keeps its place taken.',
    ({ scheduling }) => {
      const waiting = memory(() => ({ taken: false }))
      const { pendingPlan } = scheduling
      scheduling.decide.after_current_response = (session, busy) => {
        const place = waiting(session)
        if (!busy) return 'start'
        if (place.taken) return 'reject'
        place.taken = true
        return 'queue'
      }
      scheduling.pendingPlan = (submitted, now, session) => {
        waiting(session).taken = false
        return pendingPlan(submitted, now, session)
      }
    },
  ],
  'scheduling.reject-if-busy-idle-starts~after-invalid': [
    'A request that names an unknown speech text leaves the session busy until the next response.',
    ({ scheduling, rules }) => {
      const stuck = memory(() => ({ since: -1 }))
      const rule = rules.responseCreate['speech-asset-unknown']
      const { broken } = rule
      rule.broken = (input) => {
        const refused = broken(input)
        if (refused) stuck(input.session).since = input.session.responses
        return refused
      }
      const { busy } = scheduling
      scheduling.busy = (session) => busy(session) || stuck(session).since === session.responses
    },
  ],
  'scheduling.reject-if-busy-idle-starts~other-session': [
    'A session counts as busy while another one of its workspace speaks.',
    ({ scheduling, outgoing }) => {
      const known = new Set<Session>()
      outgoing.push((event, session) => {
        known.add(session)
        return [event]
      })
      scheduling.decide.reject_if_busy = (session, busy) => {
        const speaking = [...known].some(
          (one) => one !== session && one.account.workspace === session.account.workspace && one.response !== undefined,
        )
        return busy || speaking ? 'reject' : 'start'
      }
    },
  ],
  'scheduling.interrupt-cancels-active~interrupting': [
    'A response that interrupted another cannot be interrupted itself: both run.',
    ({ scheduling }) => {
      const { interrupt } = scheduling.decide
      scheduling.decide.interrupt = (session, busy, asked) =>
        session.response?.origin === 'interrupt' ? 'start' : interrupt(session, busy, asked)
    },
  ],
  'scheduling.interrupt-clears-pending~default': [
    'An interruption that names no policy leaves the pending response.',
    ({ scheduling, outgoing }) => {
      const kept = memory(() => ({ pending: [] as PendingResponse[] }))
      const { interrupt } = scheduling.decide
      scheduling.decide.interrupt = (session, busy, asked) => {
        if (asked === undefined) kept(session).pending = [...session.pending]
        return interrupt(session, busy, asked)
      }
      outgoing.push((event, session) => {
        const { pending } = kept(session)
        if (event['type'] !== 'response.created' || pending.length === 0) return [event]
        session.pending = pending
        kept(session).pending = []
        return [event]
      })
    },
  ],
  'scheduling.after-current-runs~incomplete': [
    'A pending response does not run after one that ended incomplete.',
    ({ scheduling }) => void (scheduling.runsPending = (done) => done.status !== 'incomplete'),
  ],
  'scheduling.after-current-runs~invalid-between': [
    'An invalid request clears the pending response.',
    ({ rules }) => {
      for (const rule of Object.values(rules.responseCreate)) {
        const { broken } = rule
        rule.broken = (input) => {
          const refused = broken(input)
          if (refused) dropPending(input.session)
          return refused
        }
      }
    },
  ],
  'scheduling.pending-second-rejected~other-connection': [
    'Each connection may queue a request of its own.',
    ({ scheduling }) => {
      const waiting = memory(() => new Set<object>())
      scheduling.decide.after_current_response = (session, busy, sender) => {
        if (!busy) return 'start'
        const senders = waiting(session)
        if (session.pending.length === 0) senders.clear()
        if (senders.has(sender)) return 'reject'
        senders.add(sender)
        return 'queue'
      }
    },
  ],
  'response-cancel.frees-session~pending': [
    'After a cancel the pending response neither runs nor gives way.',
    ({ scheduling }) => void (scheduling.runsPending = (done) => done.status !== 'cancelled'),
  ],
  'response-cancel.active-cut-short~pending-instead': [
    'With a pending response a cancel takes that one and leaves the active response.',
    ({ scheduling }) => {
      scheduling.cancelCuts = (session) => {
        const alone = session.pending.length === 0
        dropPending(session)
        return alone
      }
    },
  ],
  'snapshot.response-fields~conversation-none': [
    'A pending response writes its output, though it was asked for none.',
    ({ scheduling }) => void (scheduling.pendingPlan = (submitted) => ({ ...submitted, conversation: undefined })),
  ],
  'snapshot.mode~to-text': [
    'A pending response of a video session runs in text when the mode has changed by its start.',
    ({ scheduling }) => {
      scheduling.pendingPlan = (submitted, now) => {
        const { state } = now()
        return state.mode === 'text_chat' ? { ...submitted, state } : submitted
      }
    },
  ],
  'script-visual.prompt-and-asset-rejected~beside-vocal': [
    'Beside a vocal, a visual may hold both prompt and asset.',
    ({ rules }) => {
      const rule = rules.responseCreate['visual-both']
      const { broken } = rule
      rule.broken = (input) => broken(input) && wireAt(input.response, 'script')['vocal'] === undefined
    },
  ],
})
