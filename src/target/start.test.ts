import { afterAll, expect, test } from 'vitest'
import { RawTarget, speak, textBody, videoBody } from '#testing/raw-target/raw-target'
import { objectAt } from './wire.ts'

const raw = await RawTarget.open({ tls: true })
afterAll(() => raw.stop())

test('a session is created over TLS, speaks over its channel, and closes', async () => {
  const { data, channel } = await raw.session(videoBody())
  expect(data['status']).toBe('active')
  expect(objectAt(data, 'session')).toEqual({
    mode: 'video_avatar',
    active_avatar_id: 'guide',
    source_image_id: 'face',
  })
  const text = 'Good morning. '.repeat(20)
  channel.send({ ...speak(text), event_id: 'hello' })
  const done = await channel.untilType('response.done')
  expect(objectAt(done, 'response')['status']).toBe('completed')
  const deltas = channel.events.filter((event) => event['type'] === 'response.output_text.delta')
  expect(deltas.map((event) => event['delta']).join('')).toBe(text)
  expect(deltas.length).toBeGreaterThan(1)
  expect([...new Set(channel.types())]).toEqual([
    'response.created',
    'conversation.item.created',
    'response.render.started',
    'response.output_text.delta',
    'response.output_text.done',
    'response.output_item.done',
    'response.render.stopped',
    'response.done',
  ])
  const path = `/v1/realtime-avatar/sessions/${String(data['session_id'])}`
  expect((await raw.call('POST', `${path}/close`)).data['status']).toBe('closing')
  await channel.closed
  expect(channel.types().at(-1)).toBe('session.closed')
  await expect.poll(async () => (await raw.call('GET', path)).data['status']).toBe('closed')
})

test('two targets with the same seed give the same ids and secrets', async () => {
  const [one, other] = await Promise.all([RawTarget.open({ seed: 7 }), RawTarget.open({ seed: 7 })])
  expect(one.target.keys).toEqual(other.target.keys)
  const bodies = await Promise.all([one.create(textBody()), other.create(textBody())])
  expect(bodies[0]?.data['session_id']).toBe(bodies[1]?.data['session_id'])
  await Promise.all([one.stop(), other.stop()])
})

test('an unknown defect or variation is no target', async () => {
  await expect(RawTarget.open({ defects: ['no-such-defect'] })).rejects.toThrow('unknown defect: no-such-defect')
  await expect(RawTarget.open({ variations: ['no-such'] })).rejects.toThrow('unknown variation: no-such')
})
