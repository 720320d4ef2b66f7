import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JsonObject, type Reply, Visitor } from '../visitor.ts'
import type { HostileServer } from './hostile-target.ts'
import { targetNamed } from './target-named.ts'

const SESSIONS = '/v1/realtime-avatar/sessions'
const body = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }

let server: HostileServer
let visitor: Visitor

beforeAll(async () => {
  server = await targetNamed('silent-channel').start()
  visitor = new Visitor(server)
})
afterAll(async () => {
  await visitor.close()
  await server.stop()
})

const create = (changes: JsonObject): Promise<Reply> =>
  visitor.send('POST', SESSIONS, server.keys.primary, { ...body, ...changes })

test('a session is created once a key, found, listed and closed', async () => {
  const { data } = await create({ idempotency_key: 'k' })
  expect((await create({ idempotency_key: 'k' })).data).toEqual(data)
  const path = `${SESSIONS}/${String(data.session_id)}`
  const key = server.keys.primary
  expect((await visitor.send('GET', path, key)).data.status).toBe('active')
  expect((await visitor.send('GET', SESSIONS, key)).data.sessions).toHaveLength(1)
  expect((await visitor.send('POST', `${path}/close`, key)).data.status).toBe('closed')
  expect((await visitor.send('GET', SESSIONS, key)).data.sessions).toEqual([])
})

test('missing and wrong keys, unknown sessions and paths are told apart', async () => {
  expect((await visitor.send('GET', SESSIONS)).code).toBe(10001)
  expect((await visitor.send('GET', SESSIONS, 'x')).code).toBe(10003)
  expect((await visitor.send('GET', `${SESSIONS}/x`, server.keys.primary)).code).toBe(20005)
  expect((await visitor.send('GET', '/v1/voices', server.keys.primary)).code).toBe(20005)
})

test.each([
  ['video', { session: {} }],
  ['no avatars', { avatars: [] }],
  [
    'equal avatar ids',
    { avatars: [{ avatar_id: 'a' }, { avatar_id: 'a' }], session: { mode: 'text_chat', active_avatar_id: 'a' } },
  ],
  ['an unknown model', { model: 'x' }],
])('%s is refused with 30004', async (_, changes) => {
  expect((await create(changes)).code).toBe(30004)
})
