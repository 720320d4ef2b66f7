import { onEvent } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { append, around, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { objectAt } from '#target/wire'
import { askedFor } from '../../tools/busy.ts'
import { isInVideo } from '../../tools/modes.ts'
import { defectsOf } from '../../tools/table.ts'

export const schedulingDefects = defectsOf('control-channel.scheduling', {
  'pending-one-accepted: No request may wait.': set('scheduling.decide.after_current_response', (_session, busy) =>
    busy ? 'reject' : 'start',
  ),
  'pending-one-accepted~after-clear: The first after_current_response after one that an interrupt cleared is rejected.':
    remembering(() => {
      const cleared = new WeakSet<Session>()
      return [
        around('scheduling.decide.interrupt', (interrupt) => (session, busy, asked) => {
          if (session.pending.length > 0) cleared.add(session)
          return interrupt(session, busy, asked)
        }),
        around(
          'scheduling.decide.after_current_response',
          (after) => (session, busy, sender) =>
            busy && cleared.delete(session) ? 'reject' : after(session, busy, sender),
        ),
      ]
    }),
  'pending-one-accepted~after-cleared: A pending response that an interruption cleared keeps its place taken.':
    remembering(() => {
      const waiting = memory(() => ({ taken: false }))
      return [
        set('scheduling.decide.after_current_response', (session, busy) => {
          const place = waiting(session)
          if (!busy) return 'start'
          if (place.taken) return 'reject'
          place.taken = true
          return 'queue'
        }),
        around('scheduling.pendingPlan', (pendingPlan) => (submitted, now, session) => {
          waiting(session).taken = false
          return pendingPlan(submitted, now, session)
        }),
      ]
    }),
  'pending-one-accepted~ever-after-clear: Once an interrupt cleared a pending response, no request may wait any more.':
    remembering(() => {
      const cleared = new WeakSet<Session>()
      return [
        around('scheduling.decide.interrupt', (interrupt) => (session, busy, asked) => {
          if (session.pending.length > 0) cleared.add(session)
          return interrupt(session, busy, asked)
        }),
        around(
          'scheduling.decide.after_current_response',
          (after) => (session, busy, sender) =>
            busy && cleared.has(session) ? 'reject' : after(session, busy, sender),
        ),
      ]
    }),
  'pending-second-rejected: Any number of requests may wait.': set(
    'scheduling.decide.after_current_response',
    (_session, busy) => (busy ? 'queue' : 'start'),
  ),
  'pending-second-rejected~named: The error of a second pending request names the first one.': remembering(() => {
    let refused = false
    return [
      around('scheduling.decide.after_current_response', (after) => (session, busy, sender) => {
        const decision = after(session, busy, sender)
        refused = decision === 'reject'
        return decision
      }),
      onEvent('error', (event, session) => {
        const named = session.pending[0]?.plan.requestEventId
        if (!refused || named === undefined) return event
        refused = false
        return { ...event, error: { ...objectAt(event, 'error'), event_id: named } }
      }),
    ]
  }),
  'pending-second-rejected~other-connection: Each connection may queue a request of its own.': around(
    'scheduling.decide.after_current_response',
    () => {
      const waiting = memory(() => new Set<object>())
      return (session, busy, sender) => {
        if (!busy) return 'start'
        const senders = waiting(session)
        if (session.pending.length === 0) senders.clear()
        if (senders.has(sender)) return 'reject'
        senders.add(sender)
        return 'queue'
      }
    },
  ),
  'pending-second-rejected~race: Until something else is answered, another connection finds the queue empty.':
    remembering(() => {
      const queued = memory(() => ({ by: undefined as object | undefined }))
      return [
        append('outgoing', (event, session) => {
          if (event['type'] === 'conversation.item.retrieved') queued(session).by = undefined
          return [event]
        }),
        around('scheduling.decide.after_current_response', (after) => {
          return (session, busy, sender) => {
            const last = queued(session)
            const decision = after(session, busy, sender)
            const unseen = last.by !== undefined && last.by !== sender && session.pending.length === 1
            if (decision === 'queue') last.by = sender
            return decision === 'reject' && unseen ? 'queue' : decision
          }
        }),
      ]
    }),
  'pending-second-rejected~again: Whoever is refused a place in the queue gets one at the second try.': around(
    'scheduling.decide.after_current_response',
    (after) => {
      const refused = memory(() => ({ before: false }))
      return (session, busy, sender) => {
        const decision = after(session, busy, sender)
        const { before } = refused(session)
        if (decision === 'reject') refused(session).before = !before
        return decision === 'reject' && before ? 'queue' : decision
      }
    },
  ),
  'pending-second-rejected~video: In video any number of requests may wait.': around(
    'scheduling.decide.after_current_response',
    (after) => (session, busy, sender) => {
      const decision = after(session, busy, sender)
      return decision === 'reject' && isInVideo(session) ? 'queue' : decision
    },
  ),
  'pending-second-rejected~aside: Any number of requests may wait that are out of band.': askedFor(
    (response) => response['conversation'] === 'none',
    (isAside) =>
      around('scheduling.decide.after_current_response', (after) => (session, busy, sender) => {
        const decision = after(session, busy, sender)
        return decision === 'reject' && isAside(session) ? 'queue' : decision
      }),
  ),
  'pending-second-never-starts: A second request is refused and waits all the same.': set(
    'scheduling.decide.after_current_response',
    (session, busy) => (!busy ? 'start' : session.pending.length === 0 ? 'queue' : 'refuse-and-queue'),
  ),
  'pending-second-leaves-first: A second request is refused and clears the first.': set(
    'scheduling.decide.after_current_response',
    (session, busy) => {
      if (!busy) return 'start'
      if (session.pending.length === 0) return 'queue'
      session.pending = []
      return 'reject'
    },
  ),
  'pending-slot-frees: A session queues once.': around('scheduling.decide.after_current_response', (decide) => {
    const used = memory(() => ({ once: false }))
    return (session, busy, sender) => {
      const decision = decide(session, busy, sender)
      if (decision !== 'queue') return decision
      const { once } = used(session)
      used(session).once = true
      return once ? 'reject' : 'queue'
    }
  }),
  'pending-slot-frees~after-cancel: After the cancellation of a response nothing can wait for the next one.':
    remembering(() => {
      const cancelled = memory(() => ({ lately: false }))
      return [
        around('scheduling.cancelCuts', (cancelCuts) => (session) => {
          cancelled(session).lately = session.pending.length > 0
          return cancelCuts(session)
        }),
        around('scheduling.decide.after_current_response', (after) => (session, busy, sender) => {
          const decision = after(session, busy, sender)
          const { lately } = cancelled(session)
          if (decision === 'queue') cancelled(session).lately = false
          return decision === 'queue' && lately ? 'reject' : decision
        }),
      ]
    }),
  'pending-runs-once: A pending response runs twice.': around('scheduling.requeues', () => {
    const seen = memory(() => ({ count: 0 }))
    return (pending) => {
      seen(pending).count += 1
      return seen(pending).count === 1
    }
  }),
})
