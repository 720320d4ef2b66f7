import { afterAll, beforeAll, expect, test } from 'vitest'
import { Bench, textBody, videoBody } from '#testing/bench'
import { objectAt, objectsAt } from '../wire.ts'

let bench: Bench

beforeAll(async () => {
  bench = await Bench.open({ rateLimitedPerMinute: 5, rateClock: () => 1 })
})
afterAll(() => bench.stop())

const SESSIONS = '/v1/realtime-avatar/sessions'
const pathOf = (data: unknown): string => `${SESSIONS}/${String(objectAt({ data }, 'data')['session_id'])}`

test('the created session carries its effective configuration', async () => {
  const conversation = { instructions: 'Be brief.', turn_detection: { type: 'manual' } }
  const assets = { speech_text: [{ asset_id: 'hello', text: 'Hello' }] }
  const body = videoBody({ region: 'eu', conversation, assets, delivery: { media: { transport: 'rtc_b' } } })
  const { data, code, status } = await bench.create({ ...body, max_duration_seconds: 600 })
  expect([code, status]).toEqual([0, 200])
  expect(data).toMatchObject({ status: 'active', region: 'eu', model: 'svc-a1-stream', conversation, assets })
  expect(data['avatars']).toEqual(body['avatars'])
  expect(data['output']).toEqual({ aspect_ratio: '9:16', resolution: '480p', fps: 24 })
  expect(data['auto_close']).toEqual({ disconnected_timeout_seconds: 300, interaction_idle_timeout_seconds: 0 })
  const media = objectAt(objectAt(data, 'delivery'), 'media')
  expect(Object.keys(media)).toEqual(['transport', 'rtc_b'])
  const url = new URL(String(objectAt(data, 'control')['url']))
  expect([url.pathname, url.searchParams.get('session_id')]).toEqual([
    '/v1/realtime-avatar/control',
    data['session_id'],
  ])
})

test('a text chat has no image, no output and no delivery', async () => {
  const { data } = await bench.create(textBody({ output: { resolution: 'huge' } }))
  expect(data['session']).toEqual({ mode: 'text_chat', active_avatar_id: 'guide' })
  expect(data).not.toHaveProperty('output')
  expect(data).not.toHaveProperty('delivery')
})

test('every failure is enveloped with its code', async () => {
  const missing = await bench.call('POST', SESSIONS, { key: null, body: videoBody() })
  const invalid = await bench.call('GET', SESSIONS, { key: null, headers: { authorization: 'Bearer nobody' } })
  const unknown = await bench.call('GET', `${SESSIONS}/none`)
  const path = await bench.call('GET', '/v1/nothing')
  const broken = await bench.call('GET', '/v1/%ZZ')
  const malformed = await bench.call('POST', SESSIONS, { body: '{"model":' })
  expect([missing, invalid, unknown, path, broken, malformed].map((reply) => reply.code)).toEqual([
    10001, 10003, 20005, 20005, 20005, 30004,
  ])
  for (const reply of [missing, invalid, unknown, path, broken, malformed])
    expect(reply.body).toMatchObject({ message: expect.stringMatching(/./u), data: {} })
})

test('billing, balance, access and capacity stop creates only', async () => {
  const keys = ['billing_inactive', 'insufficient_balance', 'access_denied', 'capacity_exhausted'] as const
  const creates = await Promise.all(keys.map((key) => bench.create(textBody(), key)))
  expect(creates.map((reply) => reply.code)).toEqual([10004, 10005, 10009, 30008])
  expect(creates[3]?.status).toBe(429)
  expect(creates[3]?.headers).not.toHaveProperty('retry-after')
  const lists = await Promise.all(keys.map((key) => bench.call('GET', SESSIONS, { key })))
  expect(lists.map((reply) => reply.code)).toEqual([0, 0, 0, 0])
})

test('the cap counts open sessions of the workspace, and a closed one frees its slot', async () => {
  const volley = await Promise.all([1, 2, 3, 4].map(() => bench.create(textBody(), 'capped')))
  const made = volley.filter((reply) => reply.code === 0)
  const refused = volley.filter((reply) => reply.code === 30006)
  expect([made.length, refused.length]).toEqual([2, 2])
  expect(refused[0]?.status).toBe(429)
  expect(refused[0]?.headers).not.toHaveProperty('retry-after')
  await bench.call('POST', `${pathOf(made[0]?.data)}/close`, { key: 'capped' })
  expect((await bench.create(textBody(), 'capped')).code).toBe(0)
})

test('an idempotency key gives one session, in a volley and later, within its workspace', async () => {
  const body = textBody({ idempotency_key: 'once' })
  const volley = await Promise.all([1, 2, 3, 4].map(() => bench.create(body)))
  const again = await bench.create(body, 'same_workspace')
  expect(new Set([...volley, again].map((reply) => reply.data['session_id'])).size).toBe(1)
  const elsewhere = await bench.create(body, 'other_workspace')
  expect(elsewhere.data['session_id']).not.toBe(again.data['session_id'])
})

test('a refused create leaves its idempotency key free', async () => {
  const busy = await Bench.open({ cap: 1 })
  const first = await busy.create(textBody(), 'capped')
  const keyed = textBody({ idempotency_key: 'later' })
  expect((await busy.create(keyed, 'capped')).code).toBe(30006)
  await busy.call('POST', `${pathOf(first.data)}/close`, { key: 'capped' })
  expect((await busy.create(keyed, 'capped')).code).toBe(0)
  await busy.stop()
})

test('the rate limit names the seconds after which a request is admitted', async () => {
  const replies = []
  for (let count = 0; count < 6; count += 1) replies.push(await bench.call('GET', SESSIONS, { key: 'rate_limited' }))
  expect(replies.map((reply) => reply.code)).toEqual([0, 0, 0, 0, 0, 10008])
  expect(replies[5]?.status).toBe(429)
  expect(Number(replies[5]?.headers['retry-after'])).toBe(12)
})

test('a session is seen by its workspace only, listed while open, closed twice without harm', async () => {
  const { data } = await bench.create(textBody())
  const path = pathOf(data)
  expect((await bench.call('GET', path, { key: 'same_workspace' })).data['status']).toBe('active')
  expect((await bench.call('GET', path, { key: 'other_workspace' })).code).toBe(20005)
  expect((await bench.call('POST', `${path}/close`, { key: 'other_workspace' })).code).toBe(20005)
  const listed = async () => {
    const list = await bench.call('GET', SESSIONS)
    return objectsAt(list.data, 'sessions').some((one) => one['session_id'] === data['session_id'])
  }
  expect(await listed()).toBe(true)
  expect((await bench.call('POST', `${path}/close`)).data['status']).toBe('closing')
  await expect.poll(async () => (await bench.call('GET', path)).data['status']).toBe('closed')
  expect((await bench.call('POST', `${path}/close`)).data['status']).toBe('closed')
  expect(await listed()).toBe(false)
})

test('a refused session counts for nothing, an unknown body is refused', async () => {
  const open = bench.target.openSessions()
  const replies = await Promise.all(['[]', '"x"', 'null', '', '{'].map((body) => bench.create(body)))
  expect(replies.map((reply) => reply.code)).toEqual([30004, 30004, 30004, 30004, 30004])
  expect(bench.target.openSessions()).toBe(open)
})
