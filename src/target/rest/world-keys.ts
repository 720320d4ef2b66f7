import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { WorldSession } from '../worlds/session.ts'
import type { RememberedWorld } from '../worlds/worlds.ts'

/** The idempotency key of a create with its scope, and the body that it came with. */
export interface WorldKey {
  readonly scoped: string
  readonly body: string
}

const refusedWith = async (error: unknown): Promise<WorldSession> => {
  throw error
}

/**
 * What the key stands for, if anything.
 * @throws {Refusal} "30004 idempotency conflict": the key came with another body
 */
export function recallWorld(service: Service, key: WorldKey | undefined): Promise<WorldSession> | undefined {
  const { idempotency } = service.behaviour.world
  const known = key === undefined ? undefined : service.worlds.creates.get(key.scoped)
  if (key === undefined || known === undefined || idempotency.forgets(key.scoped)) return undefined
  if (known.session !== undefined && !idempotency.returns(known.session.status)) return undefined
  if (idempotency.sameBody(known.body, key.body)) {
    const { inProgress } = idempotency
    if (inProgress !== undefined && known.session === undefined) throw new Refusal(inProgress, 'create in progress')
    return known.outcome
  }
  idempotency.noted('conflict', key.scoped)
  if (idempotency.conflict === undefined) return undefined
  throw new Refusal(idempotency.conflict, 'idempotency conflict: the key came with another body')
}

/** Binds a refusal to a key that stands for nothing yet; a conflict leaves the first create alone. */
export function rememberRefusedWorld(service: Service, key: WorldKey | undefined, error: unknown): void {
  if (key !== undefined && !service.worlds.creates.has(key.scoped)) rememberWorld(service, key, refusedWith(error))
}

/** Binds the outcome to the key; a failure stays bound only where it was remembered on purpose. */
export function rememberWorld(service: Service, key: WorldKey | undefined, outcome: Promise<WorldSession>): void {
  void keep(service, key, outcome).catch(() => undefined)
}

async function keep(service: Service, key: WorldKey | undefined, outcome: Promise<WorldSession>): Promise<void> {
  if (key === undefined) {
    await outcome
    return
  }
  const { idempotency } = service.behaviour.world
  const record: RememberedWorld = { at: Date.now(), body: key.body, outcome, session: undefined }
  if (idempotency.joinsInFlight) service.worlds.creates.set(key.scoped, record)
  try {
    record.session = await outcome
    service.worlds.creates.set(key.scoped, record)
  } catch (error) {
    if (!(error instanceof Refusal)) idempotency.noted('fault', key.scoped)
    // A fault of the service leaves the key free: "also with an identical body" one retries 5xx (section 7).
    if (error instanceof Refusal || idempotency.remembersFaults) service.worlds.creates.set(key.scoped, record)
    else service.worlds.creates.delete(key.scoped)
  }
}
