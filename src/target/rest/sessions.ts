import { Refusal } from '../refusal.ts'
import { drawSession, type Service } from '../service.ts'
import { close } from '../sessions/close.ts'
import type { Session } from '../sessions/session.ts'
import type { RestRequest } from './request.ts'

/** "avatar session id unknown": 20005; another workspace's session is unknown too (1.6). */
function findSession(service: Service, request: RestRequest): Session {
  const session = service.sessions.get(request.sessionId)
  const { access } = service.behaviour
  if (session === undefined) throw new Refusal(access.unknown(request.sessionId), 'session')
  const seen = access.sees(request.account, session.account, request.operation)
  if (seen && access.seesSession(session, request.operation)) return session
  if (access.closesUnseen && request.operation === 'close-avatar-session') close(service, session, 'request')
  const hidden = () => drawSession(service, service.behaviour.views.created, session)
  throw new Refusal(access.unseen(request.operation), 'session', undefined, hidden)
}

const isUnknown = (service: Service, { sessionId }: RestRequest): boolean => !service.sessions.has(sessionId)

export function getSession(service: Service, request: RestRequest): unknown {
  const { access } = service.behaviour
  if (access.getsUnknown && isUnknown(service, request)) return { session_id: request.sessionId }
  const world = access.getsOtherKind(request.operation) ? service.worlds.sessions.get(request.sessionId) : undefined
  if (world !== undefined) return { session_id: world.id, status: world.status }
  return drawSession(service, service.behaviour.views.got, findSession(service, request))
}

/** "Close request: `closing`. Asynchronous cleanup starts." Closing again changes nothing. */
export function closeSession(service: Service, request: RestRequest): unknown {
  if (service.behaviour.access.closesUnknown && isUnknown(service, request)) return { session_id: request.sessionId }
  const session = findSession(service, request)
  const others = service.behaviour.lifecycle.alsoCloses(session, [...service.sessions.values()])
  for (const one of [session, ...others]) close(service, one, 'request')
  return drawSession(service, service.behaviour.views.closed, session)
}

/** "List the workspace's open sessions." */
export function listSessions(service: Service, request: RestRequest): unknown {
  const { views, access } = service.behaviour
  const open = [...service.sessions.values()].filter(
    (session) => access.sees(request.account, session.account, request.operation) && views.lists(session),
  )
  return views.list(open.toSorted(views.listOrder).map((session) => drawSession(service, views.listed, session)))
}
