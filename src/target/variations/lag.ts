import { set, around, several } from '#target/overrides/operators'
import type { Session, SessionStatus } from '../sessions/session.ts'
import { statusAgo } from '../sessions/status.ts'
import { variationsOf } from './table.ts'

/** How far behind a copy is. */
const behindMs = 1000

const isOpen = (status: SessionStatus | undefined): boolean => status === 'active' || status === 'closing'

/** What a copy shows; a session is found as soon as its create is answered. */
const late = (session: Session): SessionStatus =>
  statusAgo(session, behindMs) ?? session.past[0]?.status ?? session.status

/** When somebody asked for the close of a session that had ended by itself. */
const closedLater = new WeakMap<Session, number>()

/** Whether a session that ended by itself waits for its close, or that close for its cleanup. */
function lingers(session: Session): boolean {
  if (session.status === 'active' || session.closeReason === 'client_request') return false
  const now = session.clock()
  return now - (closedLater.get(session) ?? now) < 5000
}

/** Nothing promises that what was written shows elsewhere at once: lists, reads and counts of sessions that are behind. */
export const lagVariations = variationsOf({
  'sessions-listed-late §4.1: List Sessions is served from an index that is a second behind.': several(
    set('views.lists', (session) => isOpen(statusAgo(session, behindMs))),
    set('views.listed.status', late),
  ),
  'sessions-read-late §3.1: Get Session shows the status of a second ago (no time is promised).': set(
    'views.got.status',
    late,
  ),
  'sessions-read-apart §3.1: Every other Get Session is answered by a copy that is a second behind.': around(
    'views.got.status',
    () => {
      let gets = 0
      return (session: Session) => ((gets += 1) % 2 === 0 ? late(session) : session.status)
    },
  ),
  'creates-go-on-unwatched §4.1: A create goes on for eight seconds when nobody waits for it any more, and its key is told so by 30004 (one session is promised, and no time).':
    several(set('create.allocationMs', 60), set('idempotency.lingersMs', 8000)),
  'places-freed-late §8: A place becomes free a second after its session is closed.': set(
    'quota.holds',
    (session) => isOpen(session.status) || isOpen(late(session)),
  ),
  'places-held-until-closed §7: A session that ended by itself keeps its place until it is closed ("close ended ones that still hold quota").':
    {
      // A place that a close alone frees, and a close that is refused, would take it for good.
      contradicts: /^closes-of-closed-/,
      override: set('quota.holds', ({ status, askedToClose }) => status === 'active' || !askedToClose),
    },
  'ended-listed-until-closed §4.1: A session that ended by itself keeps its place, and stands in List Sessions, until it is closed and that close has cleaned up for five seconds ("to find and close ended sessions that still hold concurrency quota").':
    {
      contradicts: /^closes-of-closed-/,
      override: several(
        around('lifecycle.alsoCloses', (others) => (session, all) => {
          const isOver = session.status === 'closed' || session.status === 'failed'
          if (isOver && !closedLater.has(session)) closedLater.set(session, session.clock())
          return others(session, all)
        }),
        around('quota.holds', (holds) => (session) => holds(session) || lingers(session)),
        around('views.lists', (lists) => (session) => lists(session) || lingers(session)),
      ),
    },
})
