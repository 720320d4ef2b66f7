import { expect, test, vi } from 'vitest'
import { RawTarget } from '#testing/raw-target/raw-target'
import { HANG_MS } from '#testing/hang'
import { worldBody, worldsOf } from '#testing/raw-target/raw-worlds'
import { type JsonObject, objectAt } from '../wire.ts'
import { worldVariations } from './world.ts'

/** What holds under every variation: the life of one session, and what must be refused. */
async function tour(raw: RawTarget): Promise<void> {
  const worlds = worldsOf(raw)
  const body = worldBody({ idempotency_key: 'tour', metadata: { scene: 'first' } })
  const first = await worlds.create(body)
  // A session may fail at once (3.2); where its key is free again, the same create makes another one.
  const { code, data } = first.data['status'] === 'failed' ? await worlds.create(body) : first
  expect(code).toBe(0)
  expect(['provisioning', 'active']).toContain(data['status'])
  await vi.waitUntil(async () => (await worlds.get(data)).data['status'] === 'active', HANG_MS)
  expect((await worlds.create(body)).data['session_id']).toBe(data['session_id'])
  expect((await worlds.create({ ...body, metadata: { scene: 'second' } })).code).toBe(30004)
  const got = await worlds.get(data)
  expect(JSON.stringify(got.body)).not.toContain('client_secret')
  // Nobody is connected: one variation says so after a while.
  expect(['held', 'disconnected']).toContain(objectAt(got.data, 'runtime')['media_status'])
  expect(got.data).toMatchObject({ output: data['output'], metadata: { scene: 'first' } })
  const fresh = await worlds.secrets(data)
  const secret = (from: JsonObject, channel: string) => objectAt(from, channel)['client_secret']
  for (const channel of ['control', 'media']) expect(secret(fresh.data, channel)).not.toBe(secret(data, channel))
  expect(new URL(String(objectAt(fresh.data, 'control')['url'])).pathname).toBe('/v1/streaming-world/control')
  expect((await worlds.create(worldBody({ model: 'none' }))).code).toBe(30004)
  await ending(raw, data)
}

async function ending(raw: RawTarget, data: JsonObject): Promise<void> {
  const worlds = worldsOf(raw)
  const close = await worlds.close(data, { idempotency_key: 'bye' })
  expect(['closing', 'closed']).toContain(close.data['status'])
  expect((await worlds.secrets(data)).code).not.toBe(0)
  const over = async (): Promise<boolean> => {
    const { code, data: shown } = await worlds.get(data)
    return code === 20005 || shown['status'] === 'closed'
  }
  await vi.waitUntil(over, HANG_MS)
  expect([0, 20005]).toContain((await worlds.close(data, { idempotency_key: 'bye' })).code)
}

async function tryOut(id: string): Promise<void> {
  const raw = await RawTarget.open({ variations: [id] })
  try {
    await tour(raw)
  } finally {
    await raw.stop()
  }
}

test.concurrent.each(worldVariations)('$id leaves what the spec fixes', ({ id }) => tryOut(id))
