import { emit } from '../channel/emit.ts'
import type { Service } from '../service.ts'
import type { RunningUpdate, Session } from './session.ts'

/** How an accepted `session.update` ended. */
export interface UpdateOutcome {
  status: string
  reason: string | undefined
}

/** Sends the terminal result of a running update (3.5), once. */
export function endUpdate(service: Service, session: Session, running: RunningUpdate, outcome: UpdateOutcome): void {
  if (!session.updates.delete(running)) return
  running.timer?.cancel()
  emit(service, session, 'session.update.done', { eventId: running.eventId, ...outcome })
}

/** Ends all that are under way, each in the same way. */
export function endUpdates(service: Service, session: Session, outcome: UpdateOutcome): void {
  for (const running of session.updates) endUpdate(service, session, running, outcome)
}
