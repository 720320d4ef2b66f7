import { needAccess } from '../avatar-sessions/operations.ts'
import { bodyOf, type Call, maybeBodyOf, type Service } from '../call.ts'
import type { JsonObject } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { stamp } from '../stamps.ts'
import type { Door, World } from './world.ts'
import { capabilities, readWorldRequest } from './world-request.ts'

export function createWorld(call: Call, service: Service): Promise<unknown> {
  needAccess(call)
  const body = bodyOf(call, 30004)
  const { account } = call
  const text = call.body.toString('utf8')
  return service.memory.once(`world ${account.workspace.name}`, body.string('idempotency_key'), text, async () => {
    const plan = readWorldRequest(body, service.choices)
    if (account.keyName === 'capacity_exhausted') throw new Refusal(30008, 'model resource capacity exceeded')
    await service.timers.pause(30)
    const world = service.worlds.open(plan, account.workspace)
    const doors = { media: openDoor(world, 'media', service.host), control: openDoor(world, 'control', service.host) }
    return () => ({ ...doors, ...common(world, service) })
  })
}

export function getWorld(call: Call, service: Service): unknown {
  const world = service.worlds.need(call.id, call.account.workspace)
  const door = (one: Door) => ({ expires_at: stamp(world.latest(one)), url: addressOf(world, one, service.host) })
  return {
    usage: world.usage(),
    last_sequence: String(world.sequence),
    media: door('media'),
    control: door('control'),
    ...common(world, service),
  }
}

export function renewSecrets(call: Call, service: Service): Promise<unknown> {
  const key = maybeBodyOf(call, 30004).string('idempotency_key')
  const world = service.worlds.need(call.id, call.account.workspace)
  if (world.status === 'closed') throw new Refusal(20005, 'not found')
  if (world.status !== 'active') throw new Refusal(30004, `the session is ${world.status}`)
  return service.memory.once(`secrets ${world.id}`, key, '', async () => {
    const [media, control] = [openDoor(world, 'media', service.host), openDoor(world, 'control', service.host)]
    return () => ({ media, control, session_id: world.id })
  })
}

export function closeWorld(call: Call, service: Service): Promise<unknown> {
  const key = maybeBodyOf(call, 30004).string('idempotency_key')
  const { workspace } = call.account
  return service.memory.once(`close ${workspace.name} ${call.id}`, key, '', async () => {
    const world = service.worlds.need(call.id, workspace)
    world.close()
    return () => ({ status: world.status, session_id: world.id })
  })
}

function openDoor(world: World, door: Door, host: string): JsonObject {
  const { secret, until } = world.issue(door)
  return { expires_at: stamp(until), client_secret: secret, url: addressOf(world, door, host) }
}

function addressOf(world: World, door: Door, host: string): string {
  return `wss://${host}/v1/streaming-world/${door}?world=${world.id}`
}

function common(world: World, { choices }: Service): JsonObject {
  const { references, continuation, live_input, output, metadata, model } = world.plan
  return {
    ...world.times(),
    metadata,
    runtime: world.runtime(),
    references: references.map((name) => ({ name })),
    continuation,
    live_input,
    output,
    capabilities: capabilities(choices),
    model,
    status: world.status,
    session_id: world.id,
  }
}
