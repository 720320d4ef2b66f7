import type { WorldCloseCause } from '../behaviour/world/life.ts'
import type { Service } from '../service.ts'
import { cancelAll } from '../timers.ts'
import { turnMedia } from './media.ts'
import type { WorldSession } from './session.ts'

/** 3.2: `active` to `closing`, and `closed` when the cleanup has finished; connections end with it. */
export function closeWorld(service: Service, session: WorldSession, cause: WorldCloseCause): void {
  const { life, runtime, channel } = service.behaviour.world
  if (!life.closable(session.status) || !life.closesBy(cause)) return
  session.status = life.onClose
  cancelAll(session.clocks)
  turnMedia(service, session, runtime.onClose)
  for (const socket of session.connections) socket.close(channel.closeCode)
  session.clocks.cleanup = service.timers.after(life.cleanupMs, () => {
    session.status = life.onCleanup
    service.timers.after(life.forgetMs, () => service.worlds.sessions.delete(session.id))
  })
}
