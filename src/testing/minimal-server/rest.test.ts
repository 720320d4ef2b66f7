import { expect, test, vi } from 'vitest'
import { at } from '../visitor.ts'
import { SESSIONS, useMinimalServer } from './fixture.ts'
import { HANG_MS } from '../hang.ts'

const fixture = useMinimalServer({ concurrent_sessions: 3, rate_limited_per_minute: 4 })

const ask = (method: string, path: string, key?: string, body?: unknown) =>
  fixture.visitor.send(method, path, key, body)

const primary = (): string => fixture.server.keys.primary
const other = (): string => fixture.server.keys.other_workspace

async function closeAll(): Promise<void> {
  for (const key of [primary(), other()]) {
    const { data } = await ask('GET', SESSIONS, key)
    for (const line of Array.isArray(data.open) ? data.open : []) {
      await ask('POST', `${SESSIONS}/${String(at(line, 'session_id'))}/close`, key)
    }
  }
  await vi.waitFor(() => expect(fixture.server.openSessions()).toEqual([]), HANG_MS)
}

test('a created session has what text mode has, integers as strings, and no more', async () => {
  const { status, code, data } = await fixture.create({ region: 'mars', assets: { audio: [] } })
  expect([status, code]).toEqual([200, 0])
  expect(data).toMatchObject({
    session_id: expect.stringMatching(/^S-\d{6}$/),
    status: 'active',
    region: 'mars',
    model: 'svc-a1-stream',
    session: { mode: 'text_chat', active_avatar_id: 'ada' },
    auto_close: { disconnected_timeout_seconds: '90', interaction_idle_timeout_seconds: '0' },
    assets: { audio: [], speech_text: [], visual_prompts: [] },
    conversation: {},
    avatars: [{ avatar_id: 'ada' }],
  })
  for (const absent of ['output', 'delivery', 'expires_at']) expect(data).not.toHaveProperty(absent)
  expect(data.session).not.toHaveProperty('source_image_id')
  const url = new URL(String(at(data, 'control', 'url')))
  expect(url.protocol + url.pathname).toBe('wss:/v1/realtime-avatar/control')
  expect(url.searchParams.get('session_id')).toBe(data.session_id)
  await closeAll()
})

test.each([
  ['no key', undefined, 10001],
  ['an unknown key', 'nobody', 10003],
])('%s is told so on every path', async (_, key, code) => {
  for (const path of [SESSIONS, `${SESSIONS}/x`, '/v1/voices', '/v1/characters']) {
    expect(await ask('GET', path, key)).toMatchObject({ code })
  }
})

test.each([
  ['billing_inactive', 10004],
  ['insufficient_balance', 10005],
  ['access_denied', 10009],
  ['capacity_exhausted', 30008],
] as const)('a create with the key %s is refused with %i', async (name, code) => {
  const reply = await fixture.create({}, fixture.server.keys[name])
  expect(reply.code).toBe(code)
  expect(reply.headers['retry-after']).toBeUndefined()
})

test('what the minimal server does not offer answers an envelope without data', async () => {
  for (const [method, path] of [
    ['GET', '/v1/voices'],
    ['POST', '/v1/characters'],
    ['POST', '/v1/streaming-world/sessions'],
    ['DELETE', '/nowhere'],
  ] as const) {
    const reply = await ask(method, path, primary(), method === 'POST' ? {} : undefined)
    expect(reply).toMatchObject({ code: 50100, message: expect.any(String), data: {} })
  }
})

test.each(['{', '[]', 'null', ''])('the body %j is refused with 30004', async (body) => {
  expect(await ask('POST', SESSIONS, primary(), body)).toMatchObject({ status: 422, code: 30004 })
})

test('video is refused, and a body of more than 1 MiB too', async () => {
  const video = await fixture.create({ session: { mode: 'video_avatar' }, output: { resolution: '480p' } })
  expect(video).toMatchObject({ code: 30004, message: expect.stringContaining('video not offered here') })
  expect(await fixture.create({ region: 'x'.repeat(1 << 20) })).toMatchObject({ code: 30004 })
})

test('one idempotency key opens one session, in its own workspace only', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => fixture.create({ idempotency_key: 'k' })))
  expect(two?.data).toEqual(one?.data)
  const elsewhere = await fixture.create({ idempotency_key: 'k' }, other())
  expect(elsewhere.data.session_id).not.toBe(one?.data.session_id)
  await closeAll()
})

test('the cap holds with 30006, sticks to no idempotency key, and is free again once a session is closed', async () => {
  const sessions = await Promise.all([1, 2, 3].map(() => fixture.create({}, fixture.server.keys.same_workspace)))
  const refused = await fixture.create({ idempotency_key: 'late' })
  expect(refused).toMatchObject({ status: 429, code: 30006 })
  expect(refused.headers['retry-after']).toBeUndefined()
  const path = `${SESSIONS}/${String(sessions[0]?.data.session_id)}`
  expect(await ask('POST', `${path}/close`, primary())).toMatchObject({ status: 202, data: { accepted: true } })
  await vi.waitFor(async () => {
    const { data } = await ask('GET', path, primary())
    expect(data).toMatchObject({ record: { status: 'closed' } })
  }, HANG_MS)
  expect(await fixture.create({ idempotency_key: 'late' })).toMatchObject({ code: 0 })
  await closeAll()
})

test('another workspace finds no session, and lists none', async () => {
  const { data } = await fixture.create()
  const path = `${SESSIONS}/${String(data.session_id)}`
  expect(await ask('GET', path, other())).toMatchObject({ code: 20005 })
  expect(await ask('POST', `${path}/close`, other())).toMatchObject({ code: 20005 })
  expect((await ask('GET', SESSIONS, other())).data).toEqual({ open: [], total: '0' })
  const { data: mine } = await ask('GET', SESSIONS, primary())
  expect(mine).toMatchObject({ open: [{ session_id: data.session_id }], total: '1' })
  await closeAll()
  expect(await ask('GET', `${SESSIONS}/S-999999`, primary())).toMatchObject({ code: 20005 })
})

test('the request after the limit is refused with 10008, 429 and Retry-After', async () => {
  const replies = []
  for (let sent = 0; sent < 9; sent += 1) replies.push(await ask('GET', SESSIONS, fixture.server.keys.rate_limited))
  const refused = replies.find((reply) => reply.code === 10008)
  expect(refused?.status).toBe(429)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  expect(replies.slice(0, 4).map((reply) => reply.code)).toEqual([0, 0, 0, 0])
})

test('the profile names a variable for every key, and promises what the minimal server keeps', () => {
  const { profile, environment, keys, base_url } = fixture.server
  expect(profile.base_url).toBe(base_url)
  for (const [name, variable] of Object.entries(profile.keys)) {
    expect(environment[variable]).toBe(Object.entries(keys).find(([each]) => each === name)?.[1])
  }
  expect(profile.limits.primary.concurrent_sessions).toBe(3)
  expect(profile.limits.capped.concurrent_sessions).toBe(1)
})
