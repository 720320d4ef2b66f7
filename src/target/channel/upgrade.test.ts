import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { RawTarget, textBody } from '#testing/raw-target/raw-target'
import { type JsonObject, objectAt } from '../wire.ts'

const raw = await RawTarget.open()
afterAll(() => raw.stop())

const made = async (): Promise<{ data: JsonObject; url: string; secret: string }> => {
  const { data } = await raw.create(textBody())
  const control = objectAt(data, 'control')
  return { data, url: String(control['url']), secret: String(control['client_secret']) }
}
const close = (data: JsonObject) => raw.call('POST', `/v1/realtime-avatar/sessions/${String(data['session_id'])}/close`)

test('the token is good in the query and in the header, again and again', async () => {
  const { data, url, secret } = await made()
  const query = await raw.connect(data)
  const header = await raw.dial(url, { authorization: `Bearer ${secret}` })
  query.socket.close()
  await query.closed
  const again = await raw.connect(data)
  again.send({ type: 'session.update', session: {} })
  await again.untilType('session.updated')
  expect(typeof header).toBe('object')
})

test('every other attempt is refused', async () => {
  const [one, other] = [await made(), await made()]
  const refused = await Promise.all([
    raw.dial(one.url),
    raw.dial(`${one.url}&token=`),
    raw.dial(`${one.url}&client_secret=${one.secret}`),
    raw.dial(`${one.url}&token=${other.secret}`),
    raw.dial(`${one.url}&token=${one.secret}x`),
    raw.dial(one.url, { authorization: `Bearer ${raw.target.keys.primary}` }),
    raw.dial(`${one.url.replace(/session_id=.*/u, 'session_id=none')}&token=${one.secret}`),
    raw.dial(`${one.url.replace('/control', '/controls')}&token=${one.secret}`),
  ])
  expect(refused).toEqual([401, 401, 401, 401, 401, 401, 404, 404])
})

test('an address that is no URL is refused', async () => {
  const { port } = new URL(raw.target.base_url)
  const socket = connect(Number(port), '127.0.0.1')
  const head =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
  socket.write(`GET // HTTP/1.1\r\nHost: target\r\n${head}\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 404 /u)
})

test('a closing session admits nobody and disconnects those who are in', async () => {
  const { data, url, secret } = await made()
  const channel = await raw.connect(data)
  await close(data)
  expect(await raw.dial(`${url}&token=${secret}`)).toBe(410)
  expect(await channel.closed).toBe(1000)
})

test('two connections of a session hear the same, and an error reaches its cause alone', async () => {
  const { data } = await made()
  const [one, other] = [await raw.connect(data), await raw.connect(data)]
  one.send({ type: 'nothing', event_id: 'wrong' })
  await one.untilType('error')
  one.send({ type: 'session.update', session: {} })
  await Promise.all([one.untilType('session.update.done'), other.untilType('session.update.done')])
  expect(other.types()).toEqual(['session.updated', 'session.update.done'])
})

test.each([
  ['no JSON', '{"type":', undefined],
  ['no object', '[]', undefined],
  ['no type', '{"event_id":"e"}', 'e'],
  ['a type that is no string', '{"type":5,"event_id":"e"}', 'e'],
  ['an unknown type', '{"type":"session.destroy","event_id":"e"}', 'e'],
  ['an inherited name', '{"type":"constructor","event_id":"e"}', 'e'],
  ['an event id that is no string', '{"type":"session.update","session":{},"event_id":5}', undefined],
  [
    'an event id of 513 characters',
    `{"type":"session.update","session":{},"event_id":"${'x'.repeat(513)}"}`,
    undefined,
  ],
])('%s brings an error, and the channel stays usable', async (_title, frame, cause) => {
  const { data } = await made()
  const channel = await raw.connect(data)
  channel.send(frame)
  expect(objectAt(await channel.untilType('error'), 'error')['event_id']).toBe(cause)
  channel.send({ type: 'session.update', session: {}, event_id: 'y'.repeat(512) })
  expect((await channel.untilType('session.updated'))['event_id']).toHaveLength(512)
})

test('a missing type is an invalid_event', async () => {
  const channel = await raw.connect((await made()).data)
  channel.send({})
  expect((await channel.untilType('error'))['error']).toMatchObject({
    code: 'invalid_event',
    message: expect.any(String),
  })
})

test('a binary message brings an error', async () => {
  const channel = await raw.connect((await made()).data)
  channel.socket.send(Buffer.from('{"type":"session.update","session":{}}'), { binary: true })
  await channel.untilType('error')
})
