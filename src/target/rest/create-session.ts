import type { CreateStep } from '../behaviour/create.ts'
import { type CreateInput, readCreate } from '../behaviour/rules/create-session.ts'
import { firstBroken, type RuleTable } from '../behaviour/rules/rule.ts'
import { Refusal } from '../refusal.ts'
import { drawSession, type RememberedCreate, type Service } from '../service.ts'
import { allocate } from '../sessions/allocate.ts'
import type { Session } from '../sessions/session.ts'
import { textOf } from '../wire.ts'
import { readJson } from './body.ts'
import type { RestRequest } from './request.ts'

/** A create on its way through the checks. */
interface Creation {
  request: RestRequest
  input: CreateInput
  /** The idempotency key with its scope. */
  scoped: string | undefined
}

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

/** 4.1 POST `/v1/realtime-avatar/sessions`. */
export async function createSession(service: Service, request: RestRequest): Promise<unknown> {
  const { create, limits, idempotency, views } = service.behaviour
  const body = create.read(readJson(request.body, '30004'))
  const key = textOf(body['idempotency_key']) || undefined
  const scoped = key === undefined || !idempotency.honoured ? undefined : idempotency.scope(request.account, key)
  const session = await admit(service, { request, input: readCreate(body, create, limits), scoped })
  return drawSession(service, views.created, session)
}

/** Runs the checks in their order and starts the allocation in the same turn, so that no other create slips between. */
function admit(service: Service, creation: Creation): Promise<Session> {
  try {
    for (const step of service.behaviour.create.order) {
      if (step === 'validation') validate(service, creation.input)
      else if (step === 'idempotency') {
        const known = recall(service, creation.scoped)
        if (known !== undefined) return known
      } else passGate(service, creation, step)
    }
  } catch (error) {
    if (error instanceof Refusal && service.behaviour.idempotency.remembersFailure(error.code))
      remember(service, creation.scoped, Promise.reject(error))
    throw error
  }
  const allocation = allocateInSlot(service, creation)
  remember(service, creation.scoped, allocation)
  return allocation
}

function passGate(
  service: Service,
  { request }: Creation,
  step: Exclude<CreateStep, 'validation' | 'idempotency'>,
): void {
  const { access, quota } = service.behaviour
  const { state } = request.account
  const gates = {
    billing: () => access.billing(state),
    permission: () => access.permission(state),
    capacity: () => quota.capacity(state),
    concurrency: () => (hasSlot(service, request.account.workspace) ? undefined : quota.exceeded),
  }
  const code = gates[step]()
  if (code !== undefined) throw new Refusal(code, '')
}

/** "concurrently open avatar sessions": those that hold a slot, and those on their way. */
function hasSlot(service: Service, workspace: string): boolean {
  const { quota } = service.behaviour
  const scope = quota.scope(workspace)
  const held = [...service.sessions.values()].filter(
    (session) => quota.scope(session.account.workspace) === scope && quota.holds(session.status),
  )
  const open = held.length + (service.reserved.get(scope) ?? 0)
  return quota.admits(open, quota.cap(workspace, service.caps.get(workspace) ?? Number.POSITIVE_INFINITY))
}

/** Takes a slot while the allocation runs, so that creates in flight count too. */
async function allocateInSlot(service: Service, { request, input }: Creation): Promise<Session> {
  const scope = service.behaviour.quota.scope(request.account.workspace)
  service.reserved.set(scope, (service.reserved.get(scope) ?? 0) + 1)
  try {
    await service.timers.wait(service.behaviour.create.allocationMs)
    return allocate(service, request.account, input)
  } finally {
    service.reserved.set(scope, (service.reserved.get(scope) ?? 1) - 1)
  }
}

function recall(service: Service, scoped: string | undefined): Promise<Session> | undefined {
  const { idempotency } = service.behaviour
  const known = scoped === undefined ? undefined : service.creates.get(scoped)
  if (known === undefined || Date.now() - known.at > idempotency.lastsMs) return undefined
  return known.session === undefined || idempotency.returns(known.session.status) ? known.outcome : undefined
}

/** Binds the outcome to the key; a failure stays bound only where it was remembered on purpose. */
function remember(service: Service, scoped: string | undefined, outcome: Promise<Session>): void {
  void keep(service, scoped, outcome).catch(() => undefined)
}

async function keep(service: Service, scoped: string | undefined, outcome: Promise<Session>): Promise<void> {
  if (scoped === undefined) {
    await outcome
    return
  }
  const record: RememberedCreate = { at: Date.now(), outcome, session: undefined }
  if (service.behaviour.idempotency.joinsInFlight) service.creates.set(scoped, record)
  try {
    record.session = await outcome
  } finally {
    service.creates.set(scoped, record)
  }
}
