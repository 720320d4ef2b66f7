import type { CreateStep } from '../behaviour/create.ts'
import { readWorld, type WorldInput } from '../behaviour/world/input.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { textOf, type JsonObject } from '../wire.ts'
import { allocateWorld } from '../worlds/allocate.ts'
import { issueSecrets } from '../worlds/issue.ts'
import { drawWorldSession } from '../worlds/scene.ts'
import type { WorldSession } from '../worlds/session.ts'
import { isOpen } from '../worlds/worlds.ts'
import { readJson } from './body.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import type { RestRequest } from './request.ts'
import { recallWorld, rememberRefusedWorld, rememberWorld, type WorldKey } from './world-keys.ts'

/** A world create on its way through the checks. */
interface Creation {
  readonly request: RestRequest
  readonly input: WorldInput
  readonly key: WorldKey | undefined
}

interface Admission {
  readonly outcome: Promise<WorldSession>
  /** Whether the session was made by an earlier request. */
  readonly replayed: boolean
}

function readBody(service: Service, bytes: Buffer): JsonObject {
  const { create } = service.behaviour.world
  const body = readJson(bytes) ?? create.unparsable(bytes)
  if (body === undefined) throw new Refusal('30004', 'the body is not a JSON object')
  return create.read(body)
}

function keyOf(service: Service, { account }: RestRequest, body: JsonObject): WorldKey | undefined {
  const { idempotency } = service.behaviour.world
  const key = textOf(body['idempotency_key']) || idempotency.keyless
  if (key === undefined || !idempotency.honoured) return undefined
  return { scoped: idempotency.scope(account, key), body: JSON.stringify(body) }
}

/** 4.5 POST `/v1/streaming-world/sessions`. */
export async function createWorldSession(service: Service, request: RestRequest): Promise<unknown> {
  const { create, capabilities, idempotency, views } = service.behaviour.world
  const body = readBody(service, request.body)
  const key = keyOf(service, request, body)
  const { outcome, replayed } = admit(service, { request, input: readWorld(body, create, capabilities), key })
  const session = await outcome
  if (key !== undefined && request.abandoned()) idempotency.noted('abandoned', key.scoped)
  if (replayed && idempotency.renewsOnReplay) issueSecrets(service, session)
  return drawWorldSession(service, replayed ? views.replayed : views.created, session)
}

/** Binds a create that the rate limit stopped to its key, where the behaviour wants it. */
export function rememberLimitedWorld(service: Service, request: RestRequest, error: unknown): void {
  if (request.operation !== 'create-world-session' || !service.behaviour.world.idempotency.remembersRateLimit) return
  const body = readJson(request.body)
  if (body !== undefined) rememberRefusedWorld(service, keyOf(service, request, body), error)
}

/** Runs the checks in their order and starts the allocation in the same turn, so that no other create slips between. */
function admit(service: Service, creation: Creation): Admission {
  const { create, idempotency } = service.behaviour.world
  try {
    for (const step of create.order) {
      const known = step === 'idempotency' ? recallWorld(service, creation.key) : undefined
      if (known !== undefined) return { outcome: known, replayed: true }
      if (step === 'validation') validate(service, creation.input)
      const code = gate(service, creation, step)
      if (code !== undefined) throw new Refusal(code, '')
    }
  } catch (error) {
    if (error instanceof Refusal && idempotency.remembersFailure(error.code))
      rememberRefusedWorld(service, creation.key, error)
    throw error
  }
  const outcome = allocate(service, creation)
  rememberWorld(service, creation.key, outcome)
  return { outcome, replayed: false }
}

/** 30004: "missing required field, duplicate Reference name, invalid URL, unsupported output or live-input option". */
function validate(service: Service, input: WorldInput): void {
  refuseInvalid(service.behaviour.world.validations, input)
}

/** The code with which a step other than validation and idempotency ends a create. */
function gate(service: Service, { request, key }: Creation, step: CreateStep): Refusal['code'] | undefined {
  const { access, quota, world } = service.behaviour
  if (world.create.skips(step, request.account.state)) return undefined
  if (step === 'billing') return access.billing(request.account.state)
  if (step === 'permission') return access.permission(request.account.state)
  if (step === 'capacity') return quota.capacity(request.account.state) ?? crowded(service, key)
  return step === 'concurrency' && isFull(service, request) ? quota.exceeded(request.operation) : undefined
}

/** 30008 passes: "retry after a short backoff". */
function crowded(service: Service, key: WorldKey | undefined): Refusal['code'] | undefined {
  const { create, idempotency } = service.behaviour.world
  service.worlds.asked += 1
  if (!create.crowded(service.worlds.asked)) return undefined
  if (key !== undefined) idempotency.noted('crowded', key.scoped)
  return '30008'
}

function isFull(service: Service, { account }: RestRequest): boolean {
  const open = service.worlds.sessions
    .values()
    .filter((session) => isOpen(session) && session.account.workspace === account.workspace)
  return [...open].length >= service.behaviour.world.create.highestOpen
}

async function allocate(service: Service, { request, input }: Creation): Promise<WorldSession> {
  const { create } = service.behaviour.world
  service.worlds.creations += 1
  const count = service.worlds.creations
  const internalError = create.internalError(count)
  await service.timers.wait(create.allocationMs)
  if (internalError === 'before') throw new Error('the allocator was away')
  const session = allocateWorld(service, request.account, input, count)
  if (internalError === 'after') throw new Error('the answer was lost')
  return session
}
