import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { textOf, type JsonObject } from '../wire.ts'
import { closeWorld } from '../worlds/close.ts'
import { issueSecrets } from '../worlds/issue.ts'
import { drawWorldSession } from '../worlds/scene.ts'
import type { Issue, WorldSession } from '../worlds/session.ts'
import { readJson } from './body.ts'
import type { RestRequest } from './request.ts'

/** "world session missing, closed or expired": 20005; another workspace's is missing too (1.6). */
function findWorld(service: Service, request: RestRequest): WorldSession {
  const { access, world } = service.behaviour
  const { operation } = request
  const session = service.worlds.sessions.get(request.sessionId)
  if (session === undefined) throw new Refusal(world.reach.unseen(operation, false), 'session')
  const seen = access.sees(request.account, session.account, operation)
  if (seen && world.reach.finds(session, operation)) return session
  if (world.reach.closesUnseen && operation === 'close-world-session') closeWorld(service, session, 'request')
  const hidden = () => drawWorldSession(service, world.views.created, session)
  throw new Refusal(world.reach.unseen(operation, true), 'session', undefined, hidden)
}

/** Whether an operation takes an id for good that nobody knows. */
const isTrusted = (service: Service, { operation, sessionId }: RestRequest): boolean =>
  service.behaviour.world.reach.trusts(operation) && !service.worlds.sessions.has(sessionId)

const asIfKnown = ({ sessionId }: RestRequest): JsonObject => ({ session_id: sessionId, status: 'closed' })

/** The `idempotency_key` of a body that may be missing altogether. */
function optionalKey({ body }: RestRequest): string | undefined {
  if (body.length === 0) return undefined
  const read = readJson(body)
  if (read === undefined) throw new Refusal('30004', 'the body is not a JSON object')
  const key = read['idempotency_key']
  if (key !== undefined && typeof key !== 'string') throw new Refusal('30004', 'idempotency_key')
  return textOf(key) || undefined
}

/** 4.5 GET: "Effective session object without client secrets". */
export function getWorldSession(service: Service, request: RestRequest): unknown {
  if (isTrusted(service, request)) return asIfKnown(request)
  const { access } = service.behaviour
  const avatar = access.getsOtherKind(request.operation) ? service.sessions.get(request.sessionId) : undefined
  if (avatar !== undefined) return { session_id: avatar.id, status: avatar.status }
  return drawWorldSession(service, service.behaviour.world.views.got, findWorld(service, request))
}

/** "fresh `control` and `media` descriptors … For an active session". */
export function createClientSecret(service: Service, request: RestRequest): unknown {
  const { reach, views } = service.behaviour.world
  const key = optionalKey(request)
  if (isTrusted(service, request)) return asIfKnown(request)
  const session = findWorld(service, request)
  const refusal = reach.secretRefusal(session, key)
  if (refusal !== undefined) throw new Refusal(refusal, `the session is ${session.status}`)
  return drawWorldSession(service, views.secrets, session, issueFor(service, session, key))
}

function issueFor(service: Service, session: WorldSession, key: string | undefined): Issue {
  const { secretsReplayed } = service.behaviour.world.idempotency
  const known = key === undefined || !secretsReplayed ? undefined : session.issuesByKey.get(key)
  if (known !== undefined) return known
  const issue = issueSecrets(service, session)
  if (key !== undefined) session.issuesByKey.set(key, issue)
  return issue
}

/** "`status` = `closing` or `closed`. Repeating with the same key is safe." */
export function closeWorldSession(service: Service, request: RestRequest): unknown {
  const { reach, life, views } = service.behaviour.world
  const key = optionalKey(request)
  if (isTrusted(service, request)) return asIfKnown(request)
  const session = findWorld(service, request)
  const refusal = reach.closeRefusal(session, key)
  if (refusal !== undefined) throw new Refusal(refusal, `the session is ${session.status}`)
  const others = life.alsoCloses(session, [...service.worlds.sessions.values()])
  for (const one of [session, ...others]) closeWorld(service, one, 'request')
  if (key !== undefined) session.closeKeys.add(key)
  return drawWorldSession(service, views.closed, session)
}
