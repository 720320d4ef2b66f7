import type { Session, SessionStatus } from './session.ts'

export function become(session: Session, status: SessionStatus): void {
  session.status = status
  session.past.push({ status, since: session.clock() })
}

/** The state that a copy shows which is `ms` behind; undefined while the session is not there yet. */
export function statusAgo({ past, clock }: Session, ms: number): SessionStatus | undefined {
  return past.findLast(({ since }) => since <= clock() - ms)?.status
}
