import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { RawTarget } from '#testing/raw-target/raw-target'
import { audioBlock, imageBlock, textBlock, worldBody, worldsOf } from '#testing/raw-target/raw-worlds'
import { type JsonObject, objectAt } from '../wire.ts'

let raw: RawTarget
let worlds: ReturnType<typeof worldsOf>

beforeAll(async () => {
  raw = await RawTarget.open()
  worlds = worldsOf(raw)
})
afterAll(() => raw.stop())

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
const INTEGER = expect.any(Number)
const made = async (extra: JsonObject = {}): Promise<JsonObject> => (await worlds.create(worldBody(extra))).data
const statusOf = async (data: JsonObject): Promise<unknown> => (await worlds.get(data)).data['status']

test('a minimal create fills in every default', async () => {
  const { code, status, data } = await worlds.create(worldBody())
  expect([code, status]).toEqual([0, 200])
  expect(data).toMatchObject({
    status: 'active',
    model: 'svc-w1-stream',
    output: { aspect_ratio: '16:9', resolution: '720p', fps: 24, captions: false },
    live_input: { audio: { enabled: false } },
    continuation: { start_mode: 'manual', max_idle_ms: 30_000 },
    references: [],
    metadata: {},
    runtime: {
      media_status: 'held',
      media_time_ms: 0,
      applied_world_event_id: null,
      pending_world_event_id: null,
    },
    created_at: TIMESTAMP,
    expires_at: TIMESTAMP,
  })
  const url = new URL(String(objectAt(data, 'control')['url']))
  expect([url.pathname, url.searchParams.get('session_id')]).toEqual([
    '/v1/streaming-world/control',
    data['session_id'],
  ])
  expect(data['control']).toMatchObject({ client_secret: expect.stringMatching(/./u), expires_at: TIMESTAMP })
  expect(data['media']).toMatchObject({ client_secret: expect.stringMatching(/./u), expires_at: TIMESTAMP })
  expect(data['capabilities']).toMatchObject({
    reconnect: { snapshot: true, event_replay: false },
    limits: { max_event_bytes: 65_536, max_references: 8, max_reference_images: 8 },
  })
})

test('what was asked for comes back, references by name alone and in order', async () => {
  const asked = {
    opening_frame: { url: 'https://media.example.com/frame.png', mime_type: 'image/png' },
    references: [
      { name: 'zoe', content: [textBlock('A dancer.'), imageBlock({ mime_type: 'image/png' })] },
      { name: 'adam', content: [audioBlock({ transcript: 'Hello.' })] },
    ],
    output: { aspect_ratio: '1:1', resolution: '480p', captions: true },
    live_input: { audio: { enabled: true, transcription: true, language: 'en-GB' } },
    continuation: { start_mode: 'automatic', max_idle_ms: 60_000 },
    max_session_duration_seconds: 600,
    metadata: { scene: 'first' },
  }
  const { code, data } = await worlds.create(worldBody(asked))
  expect(code).toBe(0)
  expect(data).toMatchObject({
    output: { ...asked.output, fps: 24 },
    live_input: asked.live_input,
    continuation: asked.continuation,
    references: [{ name: 'zoe' }, { name: 'adam' }],
    metadata: asked.metadata,
    runtime: { media_status: 'running' },
  })
  const seconds = (Date.parse(String(data['expires_at'])) - Date.parse(String(data['created_at']))) / 1000
  expect(seconds).toBe(600)
})

test('limits that are asked for too high are lowered, and the effective ones returned', async () => {
  const data = await made({ continuation: { max_idle_ms: 999_999 }, max_session_duration_seconds: 86_400 })
  expect(data['continuation']).toMatchObject({ max_idle_ms: 120_000 })
  expect(Date.parse(String(data['expires_at'])) - Date.parse(String(data['created_at']))).toBe(7_200_000)
})

test('get shows the session without its secrets', async () => {
  const created = await made({ metadata: { a: 'b' } })
  const { data, body } = await worlds.get(created, 'same_workspace')
  const text = JSON.stringify(body)
  expect(text).not.toContain('client_secret')
  for (const channel of ['control', 'media']) {
    const { client_secret: secret, ...shown } = objectAt(created, channel)
    expect(text.includes(String(secret))).toBe(false)
    expect(data[channel]).toEqual(shown)
  }
  expect(data).toMatchObject({
    last_sequence: INTEGER,
    usage: { generated_video_ms: 0, generated_audio_ms: 0 },
  })
  const kept = ['model', 'output', 'live_input', 'continuation', 'references', 'metadata', 'capabilities', 'created_at']
  for (const key of [...kept, 'expires_at', 'status', 'runtime']) expect(data[key]).toEqual(created[key])
})

test('unknown sessions and those of others are not found', async () => {
  const created = await made()
  const others = [
    await worlds.get(created, 'other_workspace'),
    await worlds.secrets(created, {}, 'other_workspace'),
    await worlds.close(created, {}, 'other_workspace'),
    await worlds.get({ session_id: 'none' }),
    await worlds.secrets({ session_id: 'none' }),
    await worlds.close({ session_id: 'none' }),
  ]
  expect(others.map(({ code }) => code)).toEqual([20005, 20005, 20005, 20005, 20005, 20005])
  expect(await statusOf(created)).toBe('active')
})

test('fresh descriptors differ from those before, the same key gives the same ones', async () => {
  const created = await made()
  const first = await worlds.secrets(created)
  const second = await worlds.secrets(created, { idempotency_key: 'k' }, 'same_workspace')
  const third = await worlds.secrets(created, { idempotency_key: 'k' })
  expect([first.code, second.code, third.code]).toEqual([0, 0, 0])
  expect(third.data).toEqual(second.data)
  const secrets = [created, first.data, second.data].flatMap((data) =>
    ['control', 'media'].map((channel) => objectAt(data, channel)['client_secret']),
  )
  expect(new Set(secrets).size).toBe(6)
  expect(Object.keys(first.data).toSorted()).toEqual(['control', 'media', 'session_id'])
  expect(raw.target.secretsGiven()).toEqual(expect.arrayContaining(secrets))
})

test('a close leads over closing to closed, again and again, and ends the descriptors', async () => {
  const created = await made()
  const open = raw.target.openSessions()
  const close = await worlds.close(created, { idempotency_key: 'bye' })
  expect(close.data).toEqual({ session_id: created['session_id'], status: 'closing' })
  expect((await worlds.secrets(created)).code).toBe(20005)
  await expect.poll(() => statusOf(created)).toBe('closed')
  expect(raw.target.openSessions()).toBe(open - 1)
  expect((await worlds.close(created, { idempotency_key: 'bye' })).data['status']).toBe('closed')
  expect((await worlds.close(created)).data['status']).toBe('closed')
})

test('an idempotency key gives one session, and refuses another body', async () => {
  const body = worldBody({ idempotency_key: 'one', metadata: { a: '1', b: '2' } })
  const volley = await Promise.all([1, 2, 3, 4].map(() => worlds.create(body)))
  const again = await worlds.create({ ...body, metadata: { b: '2', a: '1' } }, 'same_workspace')
  expect(new Set([...volley, again].map(({ data }) => data['session_id'])).size).toBe(1)
  const other = await worlds.create({ ...body, metadata: { a: '1', b: '3' } })
  expect([other.code, (await worlds.create(body)).data['session_id']]).toEqual([30004, again.data['session_id']])
  const elsewhere = await worlds.create({ ...body, metadata: {} }, 'other_workspace')
  expect(elsewhere.code).toBe(0)
})

test('a refused create leaves its key free', async () => {
  const key = { idempotency_key: 'later' }
  expect((await worlds.create(worldBody({ ...key, model: 'other' }))).code).toBe(30004)
  expect((await worlds.create(worldBody(key))).code).toBe(0)
})

test('a create that the rate limit refused succeeds later with its key', async () => {
  let minute = 1
  const slow = await RawTarget.open({ rateLimitedPerMinute: 1, clock: () => minute * 60_000 })
  const { create } = worldsOf(slow)
  const keyed = worldBody({ idempotency_key: 'slow' })
  expect((await slow.call('GET', '/v1/voices', { key: 'rate_limited' })).code).toBe(0)
  expect((await create(keyed, 'rate_limited')).code).toBe(10008)
  minute += 1
  expect((await create(keyed, 'rate_limited')).code).toBe(0)
  await slow.stop()
})

test('billing, balance, access and capacity stop creates', async () => {
  const keys = ['billing_inactive', 'insufficient_balance', 'access_denied', 'capacity_exhausted'] as const
  const creates = await Promise.all(keys.map((key) => worlds.create(worldBody(), key)))
  expect(creates.map(({ code }) => code)).toEqual([10004, 10005, 10009, 30008])
})

test('generation goes on until max_idle_ms is over', async () => {
  const created = await made({ continuation: { start_mode: 'automatic', max_idle_ms: 150 } })
  const runtime = async () => objectAt((await worlds.get(created)).data, 'runtime')
  await expect.poll(async () => (await runtime())['media_status']).toBe('held')
  const [first, second] = [await worlds.get(created), await worlds.get(created)]
  expect(objectAt(first.data, 'runtime')['media_time_ms']).toBeGreaterThanOrEqual(145)
  expect(second.data).toEqual(first.data)
  expect(first.data).toMatchObject({ last_sequence: 2, status: 'active' })
})

test('a session ends at its expiry', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const created = await made({ max_session_duration_seconds: 1 })
  const channel = await worlds.dial(created, 'control')
  if (typeof channel === 'number') throw new Error(`refused with ${channel}`)
  vi.advanceTimersByTime(1_000)
  expect(await channel.closed).toBe(1000)
  vi.advanceTimersByTime(1_000)
  expect(await statusOf(created)).toBe('closed')
  expect((await worlds.secrets(created)).code).toBe(20005)
})

test('bodies that are no JSON object are refused', async () => {
  const replies = await Promise.all(['[]', '"x"', 'null', '', '{'].map((body) => worlds.create(body)))
  expect(replies.map(({ code }) => code)).toEqual([30004, 30004, 30004, 30004, 30004])
})
