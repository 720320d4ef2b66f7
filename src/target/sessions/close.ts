import type { CloseCause, CloseStep } from '../behaviour/lifecycle.ts'
import { emit } from '../channel/emit.ts'
import { cutResponse } from '../responses/life.ts'
import type { Service } from '../service.ts'
import { cancelAll } from '../timers.ts'
import type { Session } from './session.ts'
import { become } from './status.ts'
import { endUpdates } from './update-end.ts'

/** 3.1: `active` to `closing`, and `closed` when the cleanup has finished. */
export function close(service: Service, session: Session, cause: CloseCause): void {
  const { lifecycle } = service.behaviour
  session.askedToClose ||= cause === 'request'
  if (!lifecycle.closable(session.status) || !lifecycle.closesBy[cause]) return
  const atOnce = cause === 'service' ? lifecycle.onService : undefined
  become(session, atOnce ?? lifecycle.onClose)
  session.closeReason = lifecycle.reasons[cause]
  cancelAll(session.clocks)
  const steps = lifecycle.closeOrder.filter(
    (step) =>
      (step !== 'disconnect' || lifecycle.disconnects(cause)) &&
      (step !== 'session.closed' || lifecycle.announces(cause)),
  )
  for (const step of steps) STEPS[step](service, session)
  session.clocks.cleanup = service.timers.after(lifecycle.cleanupMs, () => {
    become(session, atOnce ?? lifecycle.onCleanup)
    service.timers.after(lifecycle.forgetMs, () => service.sessions.delete(session.id))
  })
}

function disconnect(service: Service, { connections }: Session): void {
  const { breaks, closeCode } = service.behaviour.lifecycle
  for (const { socket } of connections)
    if (breaks) socket.terminate()
    else socket.close(closeCode)
}

const STEPS: Record<CloseStep, (service: Service, session: Session) => void> = {
  response: (service, session) => cutResponse(service, session, 'shutdown'),
  pending: (_service, session) => {
    session.pending = []
  },
  update: (service, session) => {
    const { shutdownStatus, shutdownReason } = service.behaviour.update
    endUpdates(service, session, { status: shutdownStatus, reason: shutdownReason })
  },
  'session.closed': (service, session) =>
    emit(service, session, 'session.closed', { sessionId: session.id, reason: session.closeReason ?? '' }),
  disconnect: (service, session) => {
    const { lingerMs } = service.behaviour.lifecycle
    if (lingerMs > 0) service.timers.after(lingerMs, () => disconnect(service, session))
    else disconnect(service, session)
  },
}
