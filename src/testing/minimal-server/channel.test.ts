import { expect, test, vi } from 'vitest'
import { at, type Channel, type JsonObject } from '../visitor.ts'
import { SESSIONS, useMinimalServer } from './fixture.ts'
import { HANG_MS } from '../hang.ts'

const fixture = useMinimalServer()
const within = (
  use: (channel: Channel, created: JsonObject) => Promise<void>,
  changes: JsonObject = {},
): Promise<void> => fixture.within(changes, use)

const message = (text: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

/** Says an event that must be refused, and returns the error. */
async function refused(channel: Channel, event: unknown): Promise<unknown> {
  const from = channel.events.length
  channel.say(event)
  return at(await channel.next('error', from), 'error')
}

test('the secret admits by header and by query, again and again', () =>
  within(async (_, { control }) => {
    for (const inQuery of [true, false]) {
      const again = await fixture.visitor.connect(control, inQuery)
      expect((await again.next('service.hello')).event_id).toEqual(expect.any(String))
      again.socket.terminate()
    }
  }))

test.each([
  ['a wrong token', { client_secret: 'wrong' }, (url: string) => url],
  ['an unknown session', {}, (url: string) => url.replace('S-0', 'S-9')],
  ['a changed url', {}, (url: string) => url.replace(/edge=[^&]*&/, '')],
])('%s is closed at once', (_, changes, change) =>
  within(async (_channel, { control }) => {
    const url = change(String(at(control, 'url')))
    const other = await fixture.visitor.connect({ ...Object(control), ...changes, url })
    expect(await other.closed).toBe(4401)
    expect(other.events).toEqual([])
  }),
)

test('the secret of one session does not open another', () =>
  within(async (_, one) => {
    await within(async (_channel, two) => {
      const url = at(one.control, 'url')
      const mixed = await fixture.visitor.connect({ ...Object(two.control), url })
      expect(await mixed.closed).toBe(4401)
    })
  }))

test('another path is refused by HTTP', () =>
  within(async (_, { control }) => {
    const url = String(at(control, 'url')).replace('/control', '/elsewhere')
    await expect(fixture.visitor.connect({ ...Object(control), url })).rejects.toThrow('404')
  }))

test.each([
  ['{'],
  ['[]'],
  ['null'],
  [{ type: 'session.explode' }],
  [{ type: 'response.create', event_id: 7 }],
  [{ type: 'response.create', event_id: 'x'.repeat(513) }],
  [{ type: 'session.update' }],
  [{ type: 'session.update', session: { mode: 'video_avatar' } }],
  [{ type: 'session.update', session: { active_avatar_id: 'eve' } }],
  [{ type: 'asset.add', assets: { images: [] } }],
  [{ type: 'asset.add', assets: { images: [{ asset_id: 'a', url: 'http://media.example/a.png' }] } }],
  [{ type: 'asset.add', assets: { visual_prompts: [{ asset_id: 'a', prompt: 'nod' }] } }],
  [{ type: 'avatar.add', avatars: [] }],
  [{ type: 'avatar.add', avatars: [{ avatar_id: 'ada' }] }],
  [
    {
      type: 'avatar.add',
      avatars: [{ avatar_id: 'z', visual: { source_images: [{ source_image_id: 'i', media_type: 'image/png' }] } }],
    },
  ],
  [{ type: 'conversation.item.create', item: { type: 'poem' } }],
  [{ type: 'conversation.item.create', previous_item_id: 'nobody', item: message('x') }],
  [{ type: 'conversation.item.retrieve', item_id: 'nobody' }],
  [{ type: 'conversation.item.delete', item_id: 'nobody' }],
  [{ type: 'response.cancel' }],
  [{ type: 'response.create', response: { conversation: 'both' } }],
  [{ type: 'response.create', response: { input: [{ type: 'item_reference', id: 'nobody' }] } }],
  [{ type: 'response.create', response: { tools: [{ type: 'mcp', name: 'x' }] } }],
  [{ type: 'response.create', response: { max_output_tokens: 'lots' } }],
  [{ type: 'response.create', response: { script: {} } }],
  [{ type: 'response.create', response: { script: { visual: { prompt: 'nod' } } } }],
  [{ type: 'response.create', response: { script: { vocal: { type: 'speech_asset', speech_text_asset_id: 'x' } } } }],
  [{ type: 'response.create', response: { instructions: 'x', script: { vocal: { type: 'speech', text: 'x' } } } }],
  [{ type: 'response.create', response: { input: [], script: { vocal: { type: 'speech', text: 'x' } } } }],
])('%j is an error, and the channel stays usable', (event) =>
  within(async (channel) => {
    const error = await refused(channel, event)
    expect(error).toMatchObject({ type: 'invalid_request_error', message: expect.any(String) })
    expect(error).not.toHaveProperty('event_id')
    channel.say({ type: 'session.update', event_id: 'after', session: {} })
    expect((await channel.next('session.updated')).event_id).toBe('after')
    expect(channel.events.filter((each) => each.type === 'response.created')).toEqual([])
  }),
)

test('a missing type is invalid_event, a binary frame an error', () =>
  within(async (channel) => {
    expect(await refused(channel, {})).toMatchObject({ code: 'invalid_event' })
    const from = channel.events.length
    channel.socket.send(Buffer.from('{"type":"session.update","session":{}}'))
    await channel.next('error', from)
  }))

test('an event_id of 512 characters is taken, whatever bytes they need', () =>
  within(async (channel) => {
    const event_id = '🦩'.repeat(512)
    channel.say({ type: 'session.update', event_id, session: {} })
    expect((await channel.next('session.update.done')).request_event_id).toBe(event_id)
  }))

test('an update is acknowledged and ends once; a newer one supersedes it', () =>
  within(
    async (channel) => {
      channel.say({ type: 'session.update', event_id: 'one', session: { active_avatar_id: 'bob' }, extra: 1 })
      channel.say({ type: 'session.update', event_id: 'two', session: { mode: 'text_chat', source_image_id: null } })
      await vi.waitFor(
        () => expect(channel.events.filter((e) => e.type === 'session.update.done')).toHaveLength(2),
        HANG_MS,
      )
      const done = channel.events.filter((event) => event.type === 'session.update.done')
      expect(done).toMatchObject([
        { request_event_id: 'one', status: 'cancelled', reason: 'superseded' },
        { request_event_id: 'two', status: 'completed' },
      ])
      expect(channel.events.find((event) => event.event_id === 'two')).toMatchObject({
        session: { mode: 'text_chat', active_avatar_id: 'bob', source_image_id: null },
      })
    },
    { avatars: [{ avatar_id: 'ada' }, { avatar_id: 'bob' }], session: { mode: 'text_chat', active_avatar_id: 'ada' } },
  ))

test('assets are all registered or none, and never replaced', () =>
  within(async (channel) => {
    const speech_text = [{ asset_id: 'hi', text: 'Hi there' }]
    const audio = [{ asset_id: 'a', url: 'https://media.example/a.wav', mime_type: 'audio/ogg' }]
    await refused(channel, { type: 'asset.add', assets: { speech_text, audio } })
    channel.say({ type: 'asset.add', assets: { speech_text } })
    expect(await channel.next('asset.added')).toMatchObject({
      assets: { images: [], audio: [], speech_text, visual_prompts: [] },
    })
    await refused(channel, { type: 'asset.add', assets: { speech_text } })
    await refused(channel, {
      type: 'asset.add',
      assets: { images: [{ asset_id: 'hi', url: 'https://media.example/i.png' }] },
    })
  }))

test('added avatars can be selected; a voice is refused beside the session voice', () =>
  within(
    async (channel) => {
      channel.say({ type: 'avatar.add', avatars: [{ avatar_id: 'bob', instructions: 'Be curt.' }] })
      expect(await channel.next('avatar.added')).toMatchObject({
        avatars: [{ avatar_id: 'bob', instructions: 'Be curt.' }],
      })
      channel.say({ type: 'session.update', session: { active_avatar_id: 'bob' } })
      expect(await channel.next('session.updated')).toMatchObject({ session: { active_avatar_id: 'bob' } })
      const voice = { provider: 'p', provider_voice_id: 'v', model: 'm' }
      await refused(channel, { type: 'avatar.add', avatars: [{ avatar_id: 'eve', voice }, { avatar_id: 'kim' }] })
      await refused(channel, { type: 'session.update', session: { active_avatar_id: 'kim' } })
    },
    { pipeline_config: { tts_config: { tts_voice_id: 'v' } } },
  ))

test('items are created in order, retrieved and deleted', () =>
  within(async (channel) => {
    channel.say({ type: 'conversation.item.create', item: { ...message('one'), id: 'one' } })
    expect(await channel.next('conversation.item.created')).toMatchObject({
      previous_item_id: null,
      item: { id: 'one' },
    })
    let from = channel.events.length
    channel.say({ type: 'conversation.item.create', item: message('two') })
    const two = await channel.next('conversation.item.created', from)
    expect(two).toMatchObject({ previous_item_id: 'one', item: { status: 'completed', id: expect.any(String) } })
    from = channel.events.length
    channel.say({
      type: 'conversation.item.create',
      previous_item_id: 'root',
      item: { ...message('zero'), id: 'zero' },
    })
    expect(await channel.next('conversation.item.created', from)).toMatchObject({ previous_item_id: null })
    await refused(channel, { type: 'conversation.item.create', item: { ...message('again'), id: 'zero' } })
    channel.say({ type: 'conversation.item.retrieve', item_id: 'zero' })
    expect(at(await channel.next('conversation.item.retrieved'), 'item')).toMatchObject({
      ...message('zero'),
      id: 'zero',
    })
    channel.say({ type: 'conversation.item.delete', item_id: 'zero' })
    expect((await channel.next('conversation.item.deleted')).item_id).toBe('zero')
    await refused(channel, { type: 'conversation.item.retrieve', item_id: 'zero' })
  }))

test('closing ends the response, says session.closed last, hangs up, and the secret admits no more', async () => {
  const { data } = await fixture.create()
  const channel = await fixture.visitor.connect(data.control)
  channel.say({
    type: 'response.create',
    response: { script: { vocal: { type: 'speech', text: 'la '.repeat(5000) } } },
  })
  await channel.next('response.output_text.delta')
  await fixture.visitor.send('POST', `${SESSIONS}/${String(data.session_id)}/close`, fixture.server.keys.primary)
  expect(await channel.closed).toBe(1000)
  expect(channel.events.at(-1)).toMatchObject({
    type: 'session.closed',
    session_id: data.session_id,
    reason: 'client_request',
  })
  expect(channel.events.find((event) => event.type === 'response.done')).toMatchObject({
    response: { status: 'cancelled' },
  })
  const again = await fixture.visitor.connect(data.control)
  expect(await again.closed).toBe(4401)
})

test('every event has a type and an id of its own, and some types are unknown', () =>
  within(async (channel) => {
    for (let n = 0; n < 20; n += 1) channel.say({ type: 'conversation.item.create', item: message(String(n)) })
    await channel.next('service.notice')
    const ids = channel.events.map((event) => event.event_id)
    expect(new Set(ids).size).toBe(ids.length)
  }))
