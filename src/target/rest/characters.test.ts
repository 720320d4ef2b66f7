import { afterAll, expect, test } from 'vitest'
import { AVATAR, RawTarget, FACE, type RawReply, textBody, videoBody } from '#testing/raw-target/raw-target'
import type { KeyName } from '../keys.ts'
import { type JsonObject, objectAt, objectsAt } from '../wire.ts'

const raw = await RawTarget.open()
afterAll(() => raw.stop())

const CHARACTERS = '/v1/characters'
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u

const body = (extra: JsonObject = {}): JsonObject => videoBody({ name: 'Ada', ...extra })
const save = (given: unknown, key: KeyName = 'primary'): Promise<RawReply> =>
  raw.call('POST', CHARACTERS, { key, body: given })
const pathOf = (data: JsonObject): string => `${CHARACTERS}/${String(data['character_id'])}`
const list = (query = '', key: KeyName = 'primary'): Promise<RawReply> =>
  raw.call('GET', `${CHARACTERS}${query}`, { key })
const namesOf = (reply: RawReply): unknown[] => objectsAt(reply.data, 'items').map((item) => item['name'])

test('a character is returned with all that was saved, by create and get', async () => {
  const configuration = {
    conversation: { instructions: 'Be brief.', tools: [{ type: 'function', name: 'look_up' }] },
    pipeline_config: { tts_config: { tts_voice_id: 'warm' } },
    session: { mode: 'video_avatar', active_avatar_id: 'guide' },
    max_duration_seconds: 600,
    auto_close: { disconnected_timeout_seconds: 60, interaction_idle_timeout_seconds: 0 },
  }
  const sent = body(configuration)
  const created = await save({ ...sent, idempotency_key: 'k', character_id: 'chr_mine' })
  expect([created.status, created.code]).toEqual([200, 0])
  const { character_id: id, created_at: createdAt, updated_at: updatedAt, ...rest } = created.data
  expect(rest).toEqual(sent)
  expect(id).toMatch(/^chr_[0-9a-f]+$/u)
  expect([createdAt, updatedAt]).toEqual([expect.stringMatching(TIME), expect.stringMatching(TIME)])
  expect((await raw.call('GET', pathOf(created.data), { key: 'same_workspace' })).data).toEqual(created.data)
  expect(raw.target.openSessions()).toBe(0)
})

test('a replaced record keeps its id and birth, and nothing else', async () => {
  const created = await save(body({ conversation: { instructions: 'Old.' } }))
  const next = textBody({ name: 'Grace', max_duration_seconds: 60 })
  const replaced = await raw.call('PUT', pathOf(created.data), { body: next })
  expect(replaced.data).toEqual({
    character_id: created.data['character_id'],
    created_at: created.data['created_at'],
    updated_at: expect.stringMatching(TIME),
    ...next,
  })
  expect((await raw.call('GET', pathOf(created.data))).data).toEqual(replaced.data)
})

test('a deleted character is found by nothing', async () => {
  const { data } = await save(body())
  expect((await raw.call('DELETE', pathOf(data))).data).toEqual({
    character_id: data['character_id'],
    status: 'deleted',
  })
  const replies = [
    await raw.call('DELETE', pathOf(data)),
    await raw.call('GET', pathOf(data)),
    await raw.call('PUT', pathOf(data), { body: body() }),
  ]
  expect(replies.map((reply) => reply.code)).toEqual([20005, 20005, 20005])
  const listed = objectsAt((await list('?page_size=200')).data, 'items')
  expect(listed.map((item) => item['character_id'])).not.toContain(data['character_id'])
})

test('another workspace finds nothing and changes nothing', async () => {
  const { data } = await save(body())
  const key = 'other_workspace'
  const replies = [
    await raw.call('GET', pathOf(data), { key }),
    await raw.call('PUT', pathOf(data), { key, body: body({ name: 'Taken' }) }),
    await raw.call('DELETE', pathOf(data), { key }),
  ]
  expect(replies.map((reply) => reply.code)).toEqual([20005, 20005, 20005])
  expect((await list('', key)).data).toEqual({ items: [], next_page_token: '' })
  expect((await raw.call('GET', pathOf(data))).data).toEqual(data)
})

test.each([
  ['{"name":', 20004],
  ['[]', 20004],
  [body({ name: undefined }), 20004],
  [body({ name: '' }), 20004],
  [body({ name: 7 }), 20004],
  [body({ avatars: undefined }), 20012],
  [body({ avatars: [] }), 20012],
  [body({ avatars: [{}] }), 20013],
  [body({ avatars: [{ ...AVATAR, avatar_id: '' }] }), 20013],
  [body({ avatars: [AVATAR, AVATAR], session: { active_avatar_id: 'guide' } }), 20013],
  [body({ session: { active_avatar_id: 'nobody' } }), 20013],
  [body({ output: undefined }), 20014],
  [body({ output: undefined, session: { mode: 'video_avatar' } }), 20014],
  [body({ model: 'svc-x' }), 30004],
  [body({ max_duration_seconds: 3 }), 30004],
  [body({ max_duration_seconds: 0 }), 30004],
  [body({ auto_close: { interaction_idle_timeout_seconds: 29 } }), 30004],
  [body({ pipeline_config: {} }), 30004],
  [body({ conversation: { tools: [{ type: 'mcp', name: 'x' }] } }), 30004],
  [body({ name: 'Say greenroom-moderated-text.' }), 30001],
  [
    body({ conversation: { tools: [{ type: 'function', name: 'x', description: 'greenroom-moderated-text' }] } }),
    30001,
  ],
])('%j is refused with %i, on create and replace', async (given, code) => {
  const { data } = await save(body())
  const before = namesOf(await list('?page_size=200'))
  expect((await save(given)).code).toBe(code)
  expect((await raw.call('PUT', pathOf(data), { body: given })).code).toBe(code)
  expect((await raw.call('GET', pathOf(data))).data).toEqual(data)
  expect(namesOf(await list('?page_size=200'))).toEqual(before)
})

test('what starts no session may be saved: no model, no image in a text chat, a name like another', async () => {
  const replies = [
    await save(body({ model: undefined })),
    await save(textBody({ name: 'Ada' })),
    await save(body({ avatars: [{ avatar_id: 'guide', visual: { source_images: [FACE] } }], unknown: 1 })),
  ]
  expect(replies.map((reply) => reply.code)).toEqual([0, 0, 0])
  expect(replies[2]?.data).not.toHaveProperty('unknown')
})

test('a list shows summaries, newest first', async () => {
  const own = await RawTarget.open()
  const make = (given: JsonObject) => own.call('POST', CHARACTERS, { body: given })
  await make(body({ name: 'First' }))
  await make(textBody({ name: 'Second', model: undefined }))
  const { data } = await own.call('GET', CHARACTERS)
  expect(data).toEqual({
    items: [
      {
        character_id: expect.stringMatching(/^chr_/u),
        name: 'Second',
        created_at: expect.stringMatching(TIME),
        updated_at: expect.stringMatching(TIME),
      },
      expect.objectContaining({ name: 'First', model: 'svc-a1-stream', resolution: '480p' }),
    ],
    next_page_token: '',
  })
  await own.stop()
})

test('pages show each character once, whatever is written meanwhile', async () => {
  const own = await RawTarget.open()
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, given?: JsonObject) =>
    own.call(method, path, { body: given })
  const made: JsonObject[] = []
  for (let count = 0; count < 7; count += 1)
    made.push((await call('POST', CHARACTERS, body({ name: `${count}` }))).data)
  const seen: unknown[] = []
  const marked: string[] = []
  for (let token = ''; ; ) {
    const page = await call('GET', `${CHARACTERS}?page_size=2&page_token=${encodeURIComponent(token)}`)
    const names = namesOf(page)
    seen.push(...names)
    token = String(page.data['next_page_token'])
    marked.push(token)
    if (token === '') break
    await call('POST', CHARACTERS, body({ name: 'new' }))
    await call('DELETE', pathOf(made[Number(names[0])] ?? {}))
    await call('PUT', pathOf(made[Number(names[1])] ?? {}), body({ name: String(names[1]) }))
  }
  expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0'])
  expect(marked).toHaveLength(4)
  await own.stop()
})

test('pages have their sizes, and unknown tokens are refused', async () => {
  const own = await RawTarget.open()
  for (let count = 0; count < 52; count += 1) await own.call('POST', CHARACTERS, { body: body() })
  const sizes: number[] = []
  for (const query of ['', '?page_size=1', '?page_size=52', '?page_size=200', '?page_size=5000'])
    sizes.push(namesOf(await own.call('GET', `${CHARACTERS}${query}`)).length)
  expect(sizes).toEqual([50, 1, 52, 52, 52])
  const token = String((await own.call('GET', CHARACTERS)).data['next_page_token'])
  const codes: unknown[] = []
  for (const given of ['nonsense', '0', token.slice(0, -1), `${token}A`, encodeURIComponent('%é')])
    codes.push((await own.call('GET', `${CHARACTERS}?page_token=${given}`)).code)
  for (const given of ['0', '-1', 'ten', '1.5', ''])
    codes.push((await own.call('GET', `${CHARACTERS}?page_size=${given}`)).code)
  expect(new Set(codes)).toEqual(new Set([20004]))
  await own.stop()
})

test('saving costs nothing, so that billing and access do not stand in its way', async () => {
  const replies = await Promise.all([save(body(), 'billing_inactive'), save(body(), 'access_denied')])
  expect(replies.map((reply) => reply.code)).toEqual([0, 0])
  expect(objectAt(replies[0]?.data, 'output')).toEqual({ aspect_ratio: '9:16', resolution: '480p' })
})
