import type { Service } from '../service.ts'
import { closeWorld } from './close.ts'
import { turnMedia } from './media.ts'
import type { MediaStatus, WorldSession } from './session.ts'

/** "`expires_at`: time after which the session can no longer be used" (2.11). */
export function armWorldExpiry(service: Service, session: WorldSession): void {
  session.clocks.expiry = service.timers.after(Math.max(0, session.expiresAt - Date.now()), () =>
    closeWorld(service, session, 'expiry'),
  )
}

/** The session is ready, at once or after provisioning. */
export function beginWorld(service: Service, session: WorldSession): void {
  const { runtime } = service.behaviour.world
  const first = runtime.whenReady(session.plan.startMode)
  if (first === 'running' && runtime.connectMs > 0) {
    turnMedia(service, session, runtime.whileConnecting)
    session.clocks.ready = service.timers.after(runtime.connectMs, () => run(service, session, first))
  } else run(service, session, first)
}

function run(service: Service, session: WorldSession, status: MediaStatus): void {
  turnMedia(service, session, status)
  armWorldIdle(service, session)
}

/** "Generation that continues without a new Event for `continuation.max_idle_ms` enters held mode" (3.3). */
function armWorldIdle(service: Service, session: WorldSession): void {
  const { runtime } = service.behaviour.world
  if (session.runtime.mediaStatus !== 'running') return
  session.clocks.idle = service.timers.after(runtime.idleMs(session.plan), () =>
    turnMedia(service, session, runtime.afterIdle),
  )
}
