import type { CreateStep } from '../behaviour/create.ts'
import type { CreateInput } from '../behaviour/validations/create-session.ts'
import type { Account } from '../keys.ts'
import { Refusal } from '../refusal.ts'
import type { RememberedCreate, Service } from '../service.ts'
import { allocate } from '../sessions/allocate.ts'
import type { Session } from '../sessions/session.ts'
import type { RestRequest } from './request.ts'
import { holdToVoices } from '../voices/used-voice.ts'

/** A create on its way through the checks. */
export interface Creation {
  request: RestRequest
  input: CreateInput
  /** The idempotency key with its scope. */
  scoped: string | undefined
  /** Refuses what is invalid. */
  validate: () => void
}

interface Admission {
  outcome: Promise<Session>
  /** Whether the session was made by an earlier request. */
  replayed: boolean
}

/** Takes a create through its checks to a session, an earlier one where its idempotency key stands for that. */
export async function carryThrough(
  service: Service,
  creation: Creation,
): Promise<{ session: Session; replayed: boolean }> {
  const { outcome, replayed } = admit(service, creation)
  const session = await outcome
  if (!replayed) leaveAbandoned(service, creation)
  return { session, replayed }
}

export const refusedWith = async (error: unknown): Promise<Session> => {
  throw error
}

/** The key of a create whose caller has gone away. */
function leaveAbandoned(service: Service, { request, scoped }: Creation): void {
  const { abandoned, lingersMs } = service.behaviour.idempotency
  if (scoped === undefined || !request.abandoned()) return
  const known = service.creates.get(scoped)
  if (known !== undefined) known.busyUntil = Date.now() + lingersMs
  if (abandoned === 'keep') return
  if (abandoned === 'forget') service.creates.delete(scoped)
  else remember(service, scoped, refusedWith(new Refusal('30004', 'this key was given up')))
}

/** Runs the checks in their order and starts the allocation in the same turn, so that no other create slips between. */
function admit(service: Service, creation: Creation): Admission {
  try {
    const { order, skips } = service.behaviour.create
    const { operation, account } = creation.request
    for (const step of order.filter((one) => !skips(operation, one, account.state))) {
      if (step === 'validation') validate(service, creation)
      else if (step === 'idempotency') {
        const known = recall(service, creation.scoped)
        if (known !== undefined) return { outcome: known, replayed: true }
      } else passGate(service, creation, step)
    }
  } catch (error) {
    afterRefusal(service, creation, error)
    throw error
  }
  const outcome = allocateInSlot(service, creation)
  remember(service, creation.scoped, outcome)
  return { outcome, replayed: false }
}

function validate(service: Service, { request, input, validate: holdTo }: Creation): void {
  holdTo()
  holdToVoices(service, request.account, input.body['pipeline_config'])
}

/** What a refused create leaves behind: nothing, unless the behaviour wants it. */
function afterRefusal(service: Service, { request, input, scoped }: Creation, error: unknown): void {
  const { create, idempotency, quota } = service.behaviour
  if (!(error instanceof Refusal)) return
  if (idempotency.remembersFailure(error.code)) remember(service, scoped, refusedWith(error))
  if (create.makesRefused(error.code, request.operation)) allocate(service, request.account, input)
  if (quota.leaks(error.code, request.operation)) reserve(service, request.account, 1)
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
    concurrency: () => (hasSlot(service, request.account) ? undefined : quota.exceeded(request.operation)),
  }
  const code = gates[step]()
  if (code !== undefined) throw new Refusal(code, '')
}

/** "concurrently open avatar sessions": those that hold a slot, and those on their way. */
function hasSlot(service: Service, account: Account): boolean {
  const { quota } = service.behaviour
  const scope = quota.scope(account)
  let open = quota.countsInFlight ? (service.reserved.get(scope) ?? 0) : 0
  for (const session of service.sessions.values())
    if (quota.holds(session) && quota.scope(session.account) === scope) open += 1
  for (const world of service.worlds.sessions.values())
    if (quota.holdsWorld(world) && quota.scope(world.account) === scope) open += 1
  return quota.admits(open, quota.cap(account, service.caps.get(account.workspace) ?? Number.POSITIVE_INFINITY))
}

function reserve(service: Service, account: Account, slots: number): void {
  const scope = service.behaviour.quota.scope(account)
  service.reserved.set(scope, (service.reserved.get(scope) ?? 0) + slots)
}

/** Takes a slot for good where one is free. */
export function takeFreeSlot(service: Service, account: Account): void {
  if (hasSlot(service, account)) reserve(service, account, 1)
}

/** Takes a slot while the allocation runs, so that creates in flight count too. */
async function allocateInSlot(service: Service, { request, input }: Creation): Promise<Session> {
  const { create } = service.behaviour
  service.creations += 1
  const internalError = create.internalError(service.creations)
  reserve(service, request.account, 1)
  try {
    await service.timers.wait(create.allocationMs)
    if (internalError === 'before') throw new Error('the allocator was away')
    const session = allocate(service, request.account, input)
    if (internalError === 'after') throw new Error('the answer was lost')
    return session
  } finally {
    reserve(service, request.account, -1)
  }
}

function recall(service: Service, scoped: string | undefined): Promise<Session> | undefined {
  const { idempotency } = service.behaviour
  const known = scoped === undefined ? undefined : service.creates.get(scoped)
  if (known === undefined || Date.now() - known.at > idempotency.lastsMs) return undefined
  if (Date.now() < (known.busyUntil ?? 0)) throw new Refusal('30004', 'a create with this key is in progress')
  return known.session === undefined || idempotency.returns(known.session.status, known.session)
    ? known.outcome
    : undefined
}

/** Binds the outcome to the key; a failure stays bound only where it was remembered on purpose. */
export function remember(service: Service, scoped: string | undefined, outcome: Promise<Session>): void {
  void keep(service, scoped, outcome).catch(() => undefined)
}

async function keep(service: Service, scoped: string | undefined, outcome: Promise<Session>): Promise<void> {
  if (scoped === undefined) {
    await outcome
    return
  }
  const { idempotency } = service.behaviour
  const record: RememberedCreate = { at: Date.now(), outcome, session: undefined }
  if (idempotency.joinsInFlight) service.creates.set(scoped, record)
  try {
    record.session = await outcome
    service.creates.set(scoped, record)
  } catch (error) {
    // A fault of the service leaves the key free: "retry Create Session with the same `idempotency_key`".
    if (error instanceof Refusal || idempotency.remembersFaults) service.creates.set(scoped, record)
    else service.creates.delete(scoped)
  }
}
