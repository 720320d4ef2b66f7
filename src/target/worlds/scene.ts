import type { WorldFields, WorldScene } from '../behaviour/world/views.ts'
import { drawFields } from '../rest/fields.ts'
import type { Service } from '../service.ts'
import type { JsonObject } from '../wire.ts'
import { mediaMsOf } from './media.ts'
import type { Issue, WorldSession } from './session.ts'

function sceneOf(service: Service, session: WorldSession, issue: Issue | undefined): WorldScene {
  const { channel, runtime } = service.behaviour.world
  const shown = issue ?? session.issues.at(-1)
  if (shown === undefined) throw new Error('a world session without descriptors')
  const mediaMs = Math.floor(mediaMsOf(service, session, Date.now()))
  return {
    session,
    origin: service.address.origin,
    paths: channel.paths,
    issue: shown,
    mediaMs,
    usage: runtime.usage(mediaMs),
    appliedEvent: runtime.appliedEvent(session),
    pendingEvent: runtime.pendingEvent(session),
  }
}

/** @param issue the descriptors to show; the newest by default */
export const drawWorldSession = (
  service: Service,
  fields: WorldFields,
  session: WorldSession,
  issue?: Issue,
): JsonObject => drawFields(fields, sceneOf(service, session, issue))
