import { readOnce } from '#judge/read-once'
import type { TraceIndex } from '#judge/trace-index'
import { assetsOf } from './assets.ts'
import { avatarsOf } from './avatars.ts'
import { itemsOf } from './items.ts'
import { type Session, sessionsOf, textAt } from './sessions.ts'
import { updatesOf } from './updates.ts'

/**
 * Whether anything that came shows that somebody listens: an answer that names or holds what we sent. What only ever says
 * the same, or never answers, keeps no promise by its silence or its manners.
 */
export const isAlive = readOnce((trace: TraceIndex): boolean => sessionsOf(trace).some(answers))

function answers(session: Session): boolean {
  const updated = updatesOf(session).updates.some((one) => one.sent.id !== undefined && one.updated.length > 0)
  const created = itemsOf(session).answered.size > 0
  const added = [assetsOf(session), avatarsOf(session)].some(({ confirmations }) =>
    confirmations.some(({ addition, shown }) => addition?.members.some(({ id }) => shown.some((one) => one.id === id))),
  )
  return (
    updated ||
    created ||
    added ||
    session.received.some((received) => namesRequest(session, textAt(received.event, 'request_event_id')))
  )
}

function namesRequest({ byId }: Session, id: string | undefined): boolean {
  return id !== undefined && byId.has(id)
}
