import type { WorldInput } from '../behaviour/world/input.ts'
import type { Account } from '../keys.ts'
import type { Service } from '../service.ts'
import { textOf } from '../wire.ts'
import { armWorldExpiry, beginWorld } from './clocks.ts'
import { issueSecrets } from './issue.ts'
import { turnMedia } from './media.ts'
import type { WorldPlan, WorldSession } from './session.ts'

function planOf(service: Service, { body, output, continuation, create }: WorldInput): WorldPlan {
  const defaults = {
    ratio: create.defaultRatio,
    resolution: create.defaultResolution(create.resolutions),
    fps: create.fps,
  }
  return {
    model: textOf(body['model']) ?? '',
    output: create.output(output, defaults),
    liveInput: create.liveInput(body),
    startMode: create.startMode(continuation),
    maxIdleMs: create.maxIdleMs(continuation, create.defaultIdleMs, create.highestIdleMs),
    references: create.references(body),
    metadata: create.metadata(body),
    capabilities: structuredClone(service.behaviour.world.capabilities),
    durationSeconds: create.seconds(body, create.defaultSeconds, create.highestSeconds),
  }
}

/** Makes the session and starts its clocks; `count` is its number among the creates. */
export function allocateWorld(service: Service, account: Account, input: WorldInput, count: number): WorldSession {
  const { ids, life, runtime } = service.behaviour.world
  const plan = planOf(service, input)
  const createdAt = Date.now()
  const session: WorldSession = {
    id: ids.session(service.random),
    account,
    plan,
    createdAt,
    expiresAt: createdAt + life.expiryMs(plan.durationSeconds),
    status: life.initial(count),
    issues: [],
    issuesByKey: new Map(),
    closeKeys: new Set(),
    runtime: { mediaStatus: runtime.beforeReady(plan.startMode), mediaMs: 0, since: createdAt },
    sequence: 0,
    connections: new Set(),
    clocks: {},
  }
  service.worlds.sessions.set(session.id, session)
  issueSecrets(service, session)
  armWorldExpiry(service, session)
  start(service, session)
  return session
}

/** "The `provisioning` state moves to `active` once the runtime and descriptors are ready" (3.2). */
function start(service: Service, session: WorldSession): void {
  const { life, runtime } = service.behaviour.world
  if (session.status === 'failed') turnMedia(service, session, runtime.onFailure)
  if (session.status === 'active') beginWorld(service, session)
  if (session.status !== 'provisioning') return
  session.clocks.ready = service.timers.after(life.provisioningMs, () => {
    session.status = life.onReady
    start(service, session)
  })
}
