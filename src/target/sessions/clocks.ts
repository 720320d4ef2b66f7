import type { Stimulus } from '../behaviour/lifecycle.ts'
import type { Service } from '../service.ts'
import { close } from './close.ts'
import type { Session } from './session.ts'

/** "Expiry of the session and control credential" (2.1). */
export function armExpiry(service: Service, session: Session): void {
  session.clocks.expiry = service.timers.after(Math.max(0, session.expiresAt - Date.now()), () =>
    close(service, session, 'expiry'),
  )
}

export function armAutoClose(service: Service, session: Session): void {
  armIdle(service, session)
  if (service.behaviour.lifecycle.countsNeverConnected) armDisconnected(service, session)
  const left = service.behaviour.lifecycle.maintainedAfterMs(session)
  if (left < Infinity) service.timers.after(left, () => close(service, session, 'service'))
}

/** "`0` disables." */
function armIdle(service: Service, session: Session): void {
  session.clocks.idle?.cancel()
  const ms = service.behaviour.lifecycle.idleMs(session.plan.autoClose, session)
  const end = (): void => {
    if (service.behaviour.lifecycle.closesIdle(session)) close(service, session, 'idle')
  }
  if (ms > 0) session.clocks.idle = service.timers.after(ms, end)
}

function armDisconnected(service: Service, session: Session): void {
  session.clocks.disconnected?.cancel()
  const ms = service.behaviour.lifecycle.disconnectedMs(session.plan.autoClose, session)
  if (ms > 0) session.clocks.disconnected = service.timers.after(ms, () => close(service, session, 'disconnected'))
}

/** "Counts time with no control connection, including never having opened one." */
export function countDisconnected(service: Service, session: Session): void {
  const { disconnectedWhen, countsAgainAfterDisconnect } = service.behaviour.lifecycle
  if (session.status !== 'active' || !disconnectedWhen(session.connections.size)) return
  if (countsAgainAfterDisconnect) armDisconnected(service, session)
}

/** Something happened that may reset an automatic closure (4.1). */
export function stir(service: Service, session: Session, stimulus: Stimulus): void {
  const { lifecycle } = service.behaviour
  if (session.status !== 'active') return
  if (lifecycle.prolongs(stimulus)) prolong(service, session)
  if (lifecycle.resetsIdle(stimulus)) armIdle(service, session)
  if (lifecycle.stopsDisconnected(stimulus)) session.clocks.disconnected?.cancel()
}

function prolong(service: Service, session: Session): void {
  const { lifecycle } = service.behaviour
  session.clocks.expiry?.cancel()
  session.clocks.expiry = service.timers.after(lifecycle.expiryMs(session.plan.maxDurationSeconds, session.plan), () =>
    close(service, session, 'expiry'),
  )
}
