import type { CreateStep } from '../behaviour/create.ts'
import { firstBroken, type RuleTable } from '../behaviour/rules/rule.ts'
import { type CreateInput, readCreate } from '../behaviour/rules/create-session.ts'
import { Refusal } from '../refusal.ts'
import { drawSession, type Service } from '../service.ts'
import { allocate } from '../sessions/allocate.ts'
import { close } from '../sessions/close.ts'
import type { Session } from '../sessions/session.ts'
import { textOf } from '../wire.ts'
import { readJson } from './body.ts'
import type { RestRequest } from './request.ts'

function holdToRules<Input>(table: RuleTable<Input>, input: Input): void {
  const found = firstBroken(table, input)
  if (found !== undefined) throw new Refusal(found.rule.code ?? '30004', `${found.rule.param} (${found.id})`)
}

/** 30004: "incomplete avatar definitions, invalid initial session state; unsupported model, output …". */
function validate(service: Service, input: CreateInput): void {
  const { rules, limits } = service.behaviour
  const { body, avatars } = input
  holdToRules(rules.avatars, { given: body['avatars'], avatars, limits })
  holdToRules(rules.createSession, input)
  holdToRules(rules.createAssets, { given: body['assets'], limits })
  holdToRules(rules.conversation, { given: body['conversation'], limits })
  holdToRules(rules.pipeline, { given: body['pipeline_config'], limits })
}

const slotScope = (service: Service, workspace: string): string => service.behaviour.quota.scope(workspace)

function openSessions(service: Service, scope: string): number {
  const { quota } = service.behaviour
  const held = [...service.sessions.values()].filter(
    (session) => slotScope(service, session.account.workspace) === scope && quota.holds(session.status),
  )
  return held.length + (service.reserved.get(scope) ?? 0)
}

/** Takes a slot while the allocation runs, so that creates in flight count too. */
async function allocateInSlot(service: Service, request: RestRequest, input: CreateInput): Promise<Session> {
  const scope = slotScope(service, request.account.workspace)
  service.reserved.set(scope, (service.reserved.get(scope) ?? 0) + 1)
  try {
    await service.timers.wait(service.behaviour.create.allocationMs)
    return allocate(service, request.account, input)
  } finally {
    service.reserved.set(scope, (service.reserved.get(scope) ?? 1) - 1)
  }
}

/** 4.1 POST `/v1/realtime-avatar/sessions`. */
export async function createSession(service: Service, request: RestRequest): Promise<unknown> {
  const { create, limits, idempotency, views } = service.behaviour
  const body = create.read(readJson(request.body, '30004'))
  const input = readCreate(body, create, limits)
  const key = textOf(body['idempotency_key']) || undefined
  const scoped = key === undefined || !idempotency.honoured ? undefined : idempotency.scope(request.account, key)
  const known = await passSteps(service, request, input, scoped)
  if (known !== undefined) return drawSession(service, views.created, known)
  const allocation = allocateInSlot(service, request, input)
  if (scoped !== undefined) remember(service, scoped, allocation)
  return drawSession(service, views.created, await allocation)
}

/** Runs the checks in their order; gives the session where the idempotency key already has one. */
async function passSteps(
  service: Service,
  request: RestRequest,
  input: CreateInput,
  scoped: string | undefined,
): Promise<Session | undefined> {
  for (const step of service.behaviour.create.order) {
    if (step === 'validation') validate(service, input)
    else if (step === 'idempotency') {
      const known = scoped === undefined ? undefined : await recall(service, scoped)
      if (known !== undefined) return known
    } else passGate(service, request, step)
  }
  return undefined
}

function passGate(service: Service, request: RestRequest, step: CreateStep): void {
  const { access, quota } = service.behaviour
  const { state, workspace } = request.account
  const codes = {
    billing: () => access.billing(state),
    permission: () => access.permission(state),
    capacity: () => quota.capacity(state),
    concurrency: () => {
      const cap = quota.cap(workspace, service.caps.get(workspace) ?? Number.POSITIVE_INFINITY)
      return quota.admits(openSessions(service, slotScope(service, workspace)), cap) ? undefined : quota.exceeded
    },
  }
  const code = step === 'validation' || step === 'idempotency' ? undefined : codes[step]()
  if (code !== undefined) throw new Refusal(code, '')
}

async function recall(service: Service, scoped: string): Promise<Session | undefined> {
  const { idempotency } = service.behaviour
  const known = service.creates.get(scoped)
  if (known === undefined) return undefined
  const session = await known
  return idempotency.returns(session.status) ? session : undefined
}

/** A failed create leaves its key free: "retry Create Session with the same `idempotency_key`" (section 7). */
function remember(service: Service, scoped: string, allocation: Promise<Session>): void {
  const { idempotency } = service.behaviour
  const keep = (): void => void service.creates.set(scoped, allocation)
  if (idempotency.joinsInFlight) keep()
  else allocation.then(keep, () => undefined)
  if (!idempotency.keepsFailures) allocation.catch(() => service.creates.delete(scoped))
}

/** "avatar session id unknown": 20005; another workspace's session is unknown too (1.6). */
function findSession(service: Service, request: RestRequest): Session {
  const session = service.sessions.get(request.sessionId)
  if (session === undefined || !service.behaviour.access.sees(request.account, session.account))
    throw new Refusal('20005', 'session')
  return session
}

export function getSession(service: Service, request: RestRequest): unknown {
  return drawSession(service, service.behaviour.views.got, findSession(service, request))
}

/** "Close request: `closing`. Asynchronous cleanup starts." Closing again changes nothing. */
export function closeSession(service: Service, request: RestRequest): unknown {
  const session = findSession(service, request)
  close(service, session, 'request')
  return drawSession(service, service.behaviour.views.closed, session)
}

/** "List the workspace's open sessions." */
export function listSessions(service: Service, request: RestRequest): unknown {
  const { views, access } = service.behaviour
  const open = [...service.sessions.values()].filter(
    (session) => access.sees(request.account, session.account) && views.lists(session),
  )
  return views.list(open.toSorted(views.listOrder).map((session) => drawSession(service, views.listed, session)))
}
