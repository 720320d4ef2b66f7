import { emit } from '../channel/emit.ts'
import type { Service } from '../service.ts'
import type { Session } from './session.ts'

/** Sends the terminal result of the running update, if there is one (3.5). */
export function endUpdate(
  service: Service,
  session: Session,
  outcome: { status: string; reason: string | undefined },
): void {
  const running = session.update
  if (running === undefined) return
  session.update = undefined
  running.timer.cancel()
  emit(service, session, 'session.update.done', { eventId: running.eventId, ...outcome })
}
