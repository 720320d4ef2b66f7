import { afterAll, expect, test } from 'vitest'
import { AVATAR, RawTarget, type RawReply, textBody, videoBody } from '#testing/raw-target/raw-target'
import type { KeyName } from '../keys.ts'
import { type JsonObject, objectAt } from '../wire.ts'

const raw = await RawTarget.open()
afterAll(() => raw.stop())

const CHARACTERS = '/v1/characters'
const SESSIONS = '/v1/realtime-avatar/sessions'

/** Saves a character; the answer is its id. */
async function save(
  given: JsonObject,
  { key = 'primary', on = raw }: { key?: KeyName; on?: RawTarget } = {},
): Promise<string> {
  const { data, code } = await on.call('POST', CHARACTERS, { key, body: { name: 'Ada', ...given } })
  expect(code).toBe(0)
  return String(data['character_id'])
}
const start = (id: unknown, extra: JsonObject = {}, key: KeyName = 'primary', on = raw): Promise<RawReply> =>
  on.call('POST', '/v1/realtime-avatar/character-sessions', { key, body: { character_id: id, ...extra } })

test('the saved configuration takes effect', async () => {
  const saved = videoBody({
    conversation: { instructions: 'Be brief.', turn_detection: { type: 'manual' } },
    auto_close: { disconnected_timeout_seconds: 77, interaction_idle_timeout_seconds: 33 },
    delivery: { media: { transport: 'rtc_b' } },
    max_duration_seconds: 600,
  })
  const { data, code } = await start(await save(saved))
  expect(code).toBe(0)
  expect(data).toMatchObject({
    status: 'active',
    model: 'svc-a1-stream',
    conversation: saved['conversation'],
    avatars: saved['avatars'],
    auto_close: saved['auto_close'],
    session: { mode: 'video_avatar', active_avatar_id: 'guide', source_image_id: 'face' },
    output: { aspect_ratio: '9:16', resolution: '480p', fps: 24 },
    delivery: { media: { transport: 'rtc_b' } },
  })
  expect(Date.parse(String(data['expires_at'])) - Date.now()).toBeLessThan(601_000)
  const channel = await raw.connect(data)
  channel.send({ type: 'session.update', event_id: 'u', session: {} })
  expect(await channel.untilType('session.update.done')).toMatchObject({ status: 'completed' })
})

test('output and delivery are merged by their top-level fields', async () => {
  const id = await save(videoBody({ delivery: { media: { transport: 'rtc_b' } } }))
  const wider = await start(id, { output: { resolution: '720p' } })
  expect(wider.data['output']).toMatchObject({ aspect_ratio: '9:16', resolution: '720p' })
  expect(objectAt(objectAt(wider.data, 'delivery'), 'media')['transport']).toBe('rtc_b')
  const plain = await start(id, { delivery: { media: {} }, output: {} })
  expect(objectAt(objectAt(plain.data, 'delivery'), 'media')['transport']).toBe('rtc_a')
  expect(plain.data['output']).toMatchObject({ resolution: '480p' })
  const kept = await start(id, { delivery: {} })
  expect(objectAt(objectAt(kept.data, 'delivery'), 'media')['transport']).toBe('rtc_b')
})

test('model, duration and recording are overridden, the rest is not', async () => {
  const id = await save(textBody({ max_duration_seconds: 600, conversation: { instructions: 'Saved.' } }))
  const given = { model: 'svc-a1-stream-lite', max_duration_seconds: 60, recording_mode: 'off' }
  const { data } = await start(id, { ...given, conversation: { instructions: 'Sent.' }, region: 'eu' })
  expect(data).toMatchObject({ model: 'svc-a1-stream-lite', conversation: { instructions: 'Saved.' }, region: '' })
  expect(Date.parse(String(data['expires_at'])) - Date.now()).toBeLessThan(61_000)
})

test('the create that results is held to the validations of Create Session', async () => {
  const id = await save(textBody({ model: undefined, auto_close: { disconnected_timeout_seconds: 100 } }))
  const replies = [
    await start(id),
    await start(id, { model: 'svc-x' }),
    await start(id, { model: 'svc-a1-stream', recording_mode: 'perhaps' }),
    await start(id, { model: 'svc-a1-stream', max_duration_seconds: 3 }),
    await start(id, { model: 'svc-a1-stream', max_duration_seconds: 99 }),
    await start(id, { model: 'svc-a1-stream', avatars: [AVATAR] }),
    await start(undefined, { model: 'svc-a1-stream' }),
    await start(7, { model: 'svc-a1-stream' }),
    await start(await save(videoBody()), { output: { resolution: 'huge' } }),
  ]
  expect(replies.map((reply) => reply.code)).toEqual(replies.map(() => 30004))
  expect((await start(id, { model: 'svc-a1-stream' })).code).toBe(0)
})

test('a character that is unknown, deleted or of another workspace is not found', async () => {
  const id = await save(textBody())
  const codes = [(await start('chr_none')).code, (await start(id, {}, 'other_workspace')).code]
  expect((await start(id, {}, 'same_workspace')).code).toBe(0)
  await raw.call('DELETE', `${CHARACTERS}/${id}`)
  codes.push((await start(id)).code)
  expect(codes).toEqual([20005, 20005, 20005])
})

test('a running session knows nothing of a later replacement or deletion', async () => {
  const id = await save(textBody({ conversation: { instructions: 'Old.' } }))
  const { data } = await start(id)
  const path = `${SESSIONS}/${String(data['session_id'])}`
  const before = (await raw.call('GET', path)).data
  await raw.call('PUT', `${CHARACTERS}/${id}`, { body: { name: 'Ada', ...videoBody() } })
  await raw.call('DELETE', `${CHARACTERS}/${id}`)
  expect((await raw.call('GET', path)).data).toEqual(before)
})

test('a key gives one session, and is another one in Create Session', async () => {
  const id = await save(textBody())
  const volley = await Promise.all([1, 2, 3].map(() => start(id, { idempotency_key: 'once' })))
  expect(new Set(volley.map((reply) => reply.data['session_id'])).size).toBe(1)
  const plain = await raw.create(textBody({ idempotency_key: 'once' }))
  expect(plain.data['session_id']).not.toBe(volley[0]?.data['session_id'])
})

test('billing, balance, access, capacity and the cap stop sessions from characters too', async () => {
  const keys = ['billing_inactive', 'insufficient_balance', 'access_denied', 'capacity_exhausted'] as const
  const replies = await Promise.all(keys.map(async (key) => start(await save(textBody(), { key }), {}, key)))
  expect(replies.map((reply) => reply.code)).toEqual([10004, 10005, 10009, 30008])
  const own = await RawTarget.open({ cap: 2 })
  const id = await save(textBody(), { key: 'capped', on: own })
  await own.create(textBody(), 'capped')
  const codes = [await start(id, {}, 'capped', own), await start(id, {}, 'capped', own)].map((reply) => reply.code)
  codes.push((await own.create(textBody(), 'capped')).code)
  expect(codes).toEqual([0, 30006, 30006])
  await own.stop()
})
