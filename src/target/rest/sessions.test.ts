import { afterAll, expect, test } from 'vitest'
import { RawTarget, textBody, videoBody } from '#testing/raw-target/raw-target'
import { objectAt, objectsAt } from '../wire.ts'

const raw = await RawTarget.open({ rateLimitedPerMinute: 5, clock: () => 1 })
afterAll(() => raw.stop())

const SESSIONS = '/v1/realtime-avatar/sessions'
const pathOf = (data: unknown): string => `${SESSIONS}/${String(objectAt({ data }, 'data')['session_id'])}`

test('the created session carries its effective configuration', async () => {
  const conversation = { instructions: 'Be brief.', turn_detection: { type: 'manual' } }
  const assets = { speech_text: [{ asset_id: 'hello', text: 'Hello' }] }
  const body = videoBody({ region: 'eu', conversation, assets, delivery: { media: { transport: 'rtc_b' } } })
  const { data, code, status } = await raw.create({ ...body, max_duration_seconds: 600 })
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
  const { data } = await raw.create(textBody({ output: { resolution: 'huge' } }))
  expect(data['session']).toEqual({ mode: 'text_chat', active_avatar_id: 'guide' })
  expect(data).not.toHaveProperty('output')
  expect(data).not.toHaveProperty('delivery')
})

test('every failure is enveloped with its code', async () => {
  const missing = await raw.call('POST', SESSIONS, { key: null, body: videoBody() })
  const invalid = await raw.call('GET', SESSIONS, { key: null, headers: { authorization: 'Bearer nobody' } })
  const unknown = await raw.call('GET', `${SESSIONS}/none`)
  const path = await raw.call('GET', '/v1/nothing')
  const broken = await raw.call('GET', '/v1/%ZZ')
  const malformed = await raw.call('POST', SESSIONS, { body: '{"model":' })
  expect([missing, invalid, unknown, path, broken, malformed].map((reply) => reply.code)).toEqual([
    10001, 10003, 20005, 20005, 20005, 30004,
  ])
  for (const reply of [missing, invalid, unknown, path, broken, malformed])
    expect(reply.body).toMatchObject({ message: expect.stringMatching(/./u), data: {} })
})

test('billing, balance, access and capacity stop creates only', async () => {
  const keys = ['billing_inactive', 'insufficient_balance', 'access_denied', 'capacity_exhausted'] as const
  const creates = await Promise.all(keys.map((key) => raw.create(textBody(), key)))
  expect(creates.map((reply) => reply.code)).toEqual([10004, 10005, 10009, 30008])
  expect(creates[3]?.status).toBe(429)
  expect(creates[3]?.headers).not.toHaveProperty('retry-after')
  const lists = await Promise.all(keys.map((key) => raw.call('GET', SESSIONS, { key })))
  expect(lists.map((reply) => reply.code)).toEqual([0, 0, 0, 0])
})

test('the cap counts open sessions of the workspace, and a closed one frees its slot', async () => {
  const volley = await Promise.all([1, 2, 3, 4].map(() => raw.create(textBody(), 'capped')))
  const made = volley.filter((reply) => reply.code === 0)
  const refused = volley.filter((reply) => reply.code === 30006)
  expect([made.length, refused.length]).toEqual([2, 2])
  expect(refused[0]?.status).toBe(429)
  expect(refused[0]?.headers).not.toHaveProperty('retry-after')
  await raw.call('POST', `${pathOf(made[0]?.data)}/close`, { key: 'capped' })
  expect((await raw.create(textBody(), 'capped')).code).toBe(0)
})

test('an idempotency key gives one session, in a volley and later, within its workspace', async () => {
  const body = textBody({ idempotency_key: 'once' })
  const volley = await Promise.all([1, 2, 3, 4].map(() => raw.create(body)))
  const again = await raw.create(body, 'same_workspace')
  expect(new Set([...volley, again].map((reply) => reply.data['session_id'])).size).toBe(1)
  const elsewhere = await raw.create(body, 'other_workspace')
  expect(elsewhere.data['session_id']).not.toBe(again.data['session_id'])
})

test('a refused create leaves its idempotency key free', async () => {
  const busy = await RawTarget.open({ cap: 1 })
  const first = await busy.create(textBody(), 'capped')
  const keyed = textBody({ idempotency_key: 'later' })
  expect((await busy.create(keyed, 'capped')).code).toBe(30006)
  await busy.call('POST', `${pathOf(first.data)}/close`, { key: 'capped' })
  expect((await busy.create(keyed, 'capped')).code).toBe(0)
  await busy.stop()
})

test('the rate limit names the seconds after which a request is admitted', async () => {
  const replies = []
  for (let count = 0; count < 6; count += 1) replies.push(await raw.call('GET', SESSIONS, { key: 'rate_limited' }))
  expect(replies.map((reply) => reply.code)).toEqual([0, 0, 0, 0, 0, 10008])
  expect(replies[5]?.status).toBe(429)
  expect(Number(replies[5]?.headers['retry-after'])).toBe(12)
})

test('a session is seen by its workspace only, listed while open, closed twice without harm', async () => {
  const { data } = await raw.create(textBody())
  const path = pathOf(data)
  expect((await raw.call('GET', path, { key: 'same_workspace' })).data['status']).toBe('active')
  expect((await raw.call('GET', path, { key: 'other_workspace' })).code).toBe(20005)
  expect((await raw.call('POST', `${path}/close`, { key: 'other_workspace' })).code).toBe(20005)
  const listed = async () => {
    const list = await raw.call('GET', SESSIONS)
    return objectsAt(list.data, 'sessions').some((one) => one['session_id'] === data['session_id'])
  }
  expect(await listed()).toBe(true)
  expect((await raw.call('POST', `${path}/close`)).data['status']).toBe('closing')
  await expect.poll(async () => (await raw.call('GET', path)).data['status']).toBe('closed')
  expect((await raw.call('POST', `${path}/close`)).data['status']).toBe('closed')
  expect(await listed()).toBe(false)
})

test('a refused session counts for nothing, an unknown body is refused', async () => {
  const open = raw.target.openSessions()
  const replies = await Promise.all(['[]', '"x"', 'null', '', '{'].map((body) => raw.create(body)))
  expect(replies.map((reply) => reply.code)).toEqual([30004, 30004, 30004, 30004, 30004])
  expect(raw.target.openSessions()).toBe(open)
})
