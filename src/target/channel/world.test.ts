import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawTarget } from '#testing/raw-target/raw-target'
import { worldBody, worldsOf } from '#testing/raw-target/raw-worlds'
import { type JsonObject, objectAt } from '../wire.ts'

let raw: RawTarget
let worlds: ReturnType<typeof worldsOf>

beforeAll(async () => {
  raw = await RawTarget.open()
  worlds = worldsOf(raw)
})
afterAll(() => raw.stop())

const made = async (): Promise<JsonObject> => (await worlds.create(worldBody())).data
const secretOf = (data: JsonObject, channel: string): string => String(objectAt(data, channel)['client_secret'])

test.each(['control', 'media'] as const)('the %s channel admits its own tokens alone', async (channel) => {
  const [one, other] = [await made(), await made()]
  const fresh = (await worlds.secrets(one)).data
  const otherChannel = channel === 'control' ? 'media' : 'control'
  const url = String(objectAt(one, channel)['url'])
  const admitted = [
    await worlds.dial(one, channel),
    await worlds.dial(fresh, channel),
    await raw.dial(url, { authorization: `Bearer ${secretOf(fresh, channel)}` }),
  ]
  expect(admitted.map((result) => typeof result)).toEqual(['object', 'object', 'object'])
  const refused = await Promise.all([
    raw.dial(url),
    worlds.dial(one, channel, ''),
    worlds.dial(one, channel, secretOf(other, channel)),
    worlds.dial(one, channel, secretOf(one, otherChannel)),
    worlds.dial(one, channel, `${secretOf(one, channel)}x`),
    raw.dial(url, { authorization: `Bearer ${raw.target.keys.primary}` }),
    raw.dial(`${url.replace(/session_id=.*/u, 'session_id=none')}&token=${secretOf(one, channel)}`),
  ])
  expect(refused).toEqual([401, 401, 401, 401, 401, 401, 404])
})

test('a connection hears nothing, stays open, and ends with its session', async () => {
  const data = await made()
  const channel = await worlds.dial(data, 'control')
  if (typeof channel === 'number') throw new Error(`refused with ${channel}`)
  channel.send({ type: 'event.create' })
  channel.send('no JSON')
  expect((await worlds.get(data)).data['status']).toBe('active')
  expect([channel.events.length, channel.socket.readyState]).toEqual([0, 1])
  await worlds.close(data)
  expect(await channel.closed).toBe(1000)
  expect(await worlds.dial(data, 'control')).toBe(410)
})
