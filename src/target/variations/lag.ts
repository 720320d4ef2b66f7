import { set, around, several } from '#target/overrides/operators'
import type { Variation } from '../deviation.ts'
import type { Session, SessionStatus } from '../sessions/session.ts'
import { statusAgo } from '../sessions/status.ts'

/** How far behind a copy is. */
const behindMs = 1000

const isOpen = (status: SessionStatus | undefined): boolean => status === 'active' || status === 'closing'

/** What a copy shows; a session is found as soon as its create is answered. */
const late = (session: Session): SessionStatus =>
  statusAgo(session, behindMs) ?? session.past[0]?.status ?? session.status

/** Nothing promises that what was written shows elsewhere at once: lists, reads and counts of sessions that are behind. */
export const lagVariations: readonly Variation[] = [
  {
    id: 'sessions-listed-late',
    section: '4.1',
    text: 'List Sessions is served from an index that is a second behind.',
    override: several(
      set('views.lists', (session) => isOpen(statusAgo(session, behindMs))),
      set('views.listed.status', late),
    ),
  },
  {
    id: 'sessions-read-late',
    section: '3.1',
    text: 'Get Session shows the status of a second ago (no time is promised).',
    override: set('views.got.status', late),
  },
  {
    id: 'sessions-read-apart',
    section: '3.1',
    text: 'Every other Get Session is answered by a copy that is a second behind.',
    override: around('views.got.status', () => {
      let gets = 0
      return (session: Session) => ((gets += 1) % 2 === 0 ? late(session) : session.status)
    }),
  },
  {
    id: 'creates-go-on-unwatched',
    section: '4.1',
    text: 'A create goes on for eight seconds when nobody waits for it any more, and its key is told so by 30004 (one session is promised, and no time).',
    override: several(set('create.allocationMs', 60), set('idempotency.lingersMs', 8000)),
  },
  {
    id: 'places-freed-late',
    section: '8',
    text: 'A place becomes free a second after its session is closed.',
    override: set('quota.holds', (session) => isOpen(session.status) || isOpen(late(session))),
  },
  {
    id: 'places-held-until-closed',
    section: '7',
    text: 'A session that ended by itself keeps its place until it is closed ("close ended ones that still hold quota").',
    override: set('quota.holds', ({ status, askedToClose }) => status === 'active' || !askedToClose),
  },
]
