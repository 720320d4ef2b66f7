import { afterAll, expect, test } from 'vitest'
import { AVATAR, RawTarget, FACE, textBody, videoBody } from '#testing/raw-target/raw-target'
import { type JsonObject, objectAt } from '../wire.ts'

const raw = await RawTarget.open()
afterAll(() => raw.stop())

const PROFILE = { ...FACE, source_image_id: 'profile' }
const TWO = { avatar_id: 'two', visual: { source_images: [FACE, PROFILE], default_source_image_id: 'profile' } }
const LOST = { avatar_id: 'lost', visual: { source_images: [{ ...FACE, url: 'https://nowhere.invalid/a.png' }] } }
const BARE = { avatar_id: 'bare' }
const several = (extra: JsonObject = {}): JsonObject =>
  videoBody({ avatars: [AVATAR, TWO, BARE, LOST], session: { active_avatar_id: 'guide' }, ...extra })

async function update(
  body: JsonObject,
  session: unknown,
): Promise<{ type: unknown; state: JsonObject; event: JsonObject }> {
  const { channel } = await raw.session(body)
  channel.send({ type: 'session.update', event_id: 'u', session })
  const event = await channel.until((one) => ['session.updated', 'error'].includes(String(one['type'])))
  return { type: event['type'], state: objectAt(event, 'session'), event }
}

test('an accepted update is acknowledged, then completed', async () => {
  const { channel } = await raw.session(several())
  channel.send({ type: 'session.update', event_id: 'mine', session: { active_avatar_id: 'two' } })
  const done = await channel.untilType('session.update.done')
  expect(channel.events).toEqual([
    {
      event_id: 'mine',
      type: 'session.updated',
      session: { mode: 'video_avatar', active_avatar_id: 'two', source_image_id: 'face' },
    },
    { event_id: expect.any(String), type: 'session.update.done', request_event_id: 'mine', status: 'completed' },
  ])
  expect(done['event_id']).not.toBe('mine')
})

test('without a client id both events agree on a generated one', async () => {
  const { channel } = await raw.session(several())
  channel.send({ type: 'session.update', session: {} })
  const done = await channel.untilType('session.update.done')
  expect(done['request_event_id']).toBe(channel.events[0]?.['event_id'])
})

test('a newer update supersedes the running one', async () => {
  const { channel } = await raw.session(several())
  channel.send({ type: 'session.update', event_id: 'a', session: {} })
  channel.send({ type: 'session.update', event_id: 'b', session: {} })
  await channel.until((event) => event['request_event_id'] === 'b')
  const done = channel.events.filter((event) => event['type'] === 'session.update.done')
  expect(done.map((event) => [event['request_event_id'], event['status'], event['reason']])).toEqual([
    ['a', 'cancelled', 'superseded'],
    ['b', 'completed', undefined],
  ])
})

test('an update whose image cannot be loaded fails in the end', async () => {
  const { channel } = await raw.session(several())
  channel.send({
    type: 'session.update',
    event_id: 'u',
    session: { active_avatar_id: 'lost', source_image_id: 'face' },
  })
  expect(await channel.untilType('session.update.done')).toMatchObject({ status: 'failed' })
})

test('closing ends a running update', async () => {
  const { data, channel } = await raw.session(several())
  channel.send({ type: 'session.update', event_id: 'u', session: {} })
  await channel.untilType('session.updated')
  await raw.call('POST', `/v1/realtime-avatar/sessions/${String(data['session_id'])}/close`)
  await channel.closed
  expect(channel.types()).toEqual(['session.updated', 'session.update.done', 'session.closed'])
  expect(channel.events[1]).toMatchObject({ status: 'cancelled', reason: 'session_shutdown' })
  expect(channel.events[2]).toMatchObject({ session_id: data['session_id'], reason: 'client_request' })
})

const text = textBody({ avatars: [AVATAR, TWO, BARE], session: { mode: 'text_chat', active_avatar_id: 'two' } })

test.each([
  ['text mode clears the image', several(), { mode: 'text_chat' }, null],
  ['text mode clears an image named beside it', several(), { mode: 'text_chat', source_image_id: 'face' }, null],
  ['video mode derives the default image', text, { mode: 'video_avatar' }, 'profile'],
  [
    'null falls back to the default',
    several({ session: { active_avatar_id: 'two', source_image_id: 'face' } }),
    { source_image_id: null },
    'profile',
  ],
  ['an explicit image is taken', several(), { active_avatar_id: 'two', source_image_id: 'profile' }, 'profile'],
  ['an image that the new avatar has too is kept', several(), { active_avatar_id: 'two' }, 'face'],
])('%s', async (_title, body, session, image) => {
  expect((await update(body, session)).state['source_image_id']).toBe(image)
})

test('switching to video announces the media', async () => {
  const { event } = await update(text, { mode: 'video_avatar' })
  expect(event).toMatchObject({ media_transport: 'rtc_a', media: { transport: 'rtc_a', rtc_a: expect.any(Object) } })
})

test.each([
  ['session-missing', several(), undefined],
  ['session-not-object', several(), 'x'],
  ['mode-not-string', several(), { mode: 1 }],
  ['mode-unknown', several(), { mode: 'audio' }],
  ['active-avatar-not-string', several(), { active_avatar_id: null }],
  ['active-avatar-unknown', several(), { active_avatar_id: 'nobody' }],
  ['source-image-not-string', several(), { source_image_id: 1 }],
  ['source-image-empty', several(), { source_image_id: '' }],
  ['source-image-unknown', several(), { source_image_id: 'profile' }],
  ['source-image-unresolved', several(), { active_avatar_id: 'bare' }],
  ['source-image-unresolved', textBody(), { mode: 'video_avatar' }],
])('%s is refused and nothing changes', async (id, body, session) => {
  const { channel } = await raw.session(body)
  channel.send({ type: 'session.update', event_id: 'bad', session })
  const error = await channel.untilType('error')
  expect(error['error']).toMatchObject({ event_id: 'bad', message: expect.stringContaining(`(${id})`) })
  channel.send({ type: 'session.update', event_id: 'good', session: {} })
  await channel.untilType('session.update.done')
  const updates = channel.events.filter((event) => event['type'] === 'session.updated')
  expect(updates.map((event) => event['event_id'])).toEqual(['good'])
})
