import { expect, test } from 'vitest'
import { at, type Channel, type JsonObject } from '../visitor.ts'
import { useMinimalServer } from './fixture.ts'

const fixture = useMinimalServer()
const LONG = 'on and on '.repeat(400)

const speech = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'response.create',
  response: { script: { vocal: { type: 'speech', text } }, ...more },
})

const idOf = (event: JsonObject | undefined): unknown => at(event, 'response', 'id')
const ofType = (channel: Channel, type: string): JsonObject[] => channel.events.filter((event) => event.type === type)

function deltas(channel: Channel, response: unknown): string {
  const mine = ofType(channel, 'response.output_text.delta').filter((event) => event.response_id === response)
  return mine.map((event) => event.delta).join('')
}

async function doneOf(channel: Channel, response: unknown): Promise<JsonObject> {
  for (let from = 0; ; ) {
    const event = await channel.next('response.done', from)
    if (idOf(event) === response) return event
    from = channel.events.indexOf(event) + 1
  }
}

async function begin(channel: Channel, event: JsonObject): Promise<unknown> {
  const from = channel.events.length
  channel.say(event)
  return idOf(await channel.next('response.created', from))
}

test('scripted speech comes word by word, exactly, and is kept as an assistant message', () =>
  fixture.within({}, async (channel) => {
    const text = 'Good  evening,\n everybody. '
    const id = await begin(channel, speech(text))
    const done = await doneOf(channel, id)
    expect(deltas(channel, id)).toBe(text)
    expect(ofType(channel, 'response.output_text.delta').length).toBeGreaterThan(2)
    expect(await channel.next('response.output_text.done')).toMatchObject({ response_id: id, text })
    const item = at(await channel.next('response.output_item.done'), 'item')
    expect(item).toMatchObject({ status: 'completed', role: 'assistant', content: [{ type: 'text', text }] })
    expect(done).toMatchObject({ response: { status: 'completed', status_details: null, output: [item] } })
    expect(at(await channel.next('conversation.item.created'), 'item')).toEqual(item)
    expect(ofType(channel, 'response.created')[0]).not.toHaveProperty('request_event_id')
  }))

test('an out-of-band response is not kept', () =>
  fixture.within({}, async (channel) => {
    await doneOf(channel, await begin(channel, speech('Psst.', { conversation: 'none' })))
    const { item_id } = await channel.next('response.output_text.done')
    channel.say({ type: 'conversation.item.retrieve', item_id })
    await channel.next('error')
    expect(ofType(channel, 'conversation.item.created')).toEqual([])
  }))

test('a speech asset speaks the text of its creation', () =>
  fixture.within({ assets: { speech_text: [{ asset_id: 'hi', text: 'Hello you.' }] } }, async (channel) => {
    const vocal = { type: 'speech_asset', speech_text_asset_id: 'hi' }
    const id = await begin(channel, { type: 'response.create', response: { script: { vocal } } })
    await doneOf(channel, id)
    expect(deltas(channel, id)).toBe('Hello you.')
  }))

test('a generated reply answers the last user message, the given input, or nothing', () =>
  fixture.within({}, async (channel) => {
    const content = [{ type: 'input_text', text: 'Which way?' }]
    channel.say({ type: 'conversation.item.create', item: { id: 'q', type: 'message', role: 'user', content } })
    await channel.next('conversation.item.created')
    const replies = [
      [undefined, 'Which way?'],
      [{ input: [] }, 'Nothing has been said'],
      [{ input: [{ type: 'item_reference', id: 'q' }], instructions: 'Be nice.' }, 'Which way?'],
      [{ input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Why?' }] }] }, 'Why?'],
    ] as const
    for (const [response, expected] of replies) {
      const id = await begin(channel, { type: 'response.create', response })
      await doneOf(channel, id)
      expect(deltas(channel, id)).toContain(expected)
    }
  }))

test('a reply that meets its token limit is incomplete, with the text as far as it went', () =>
  fixture.within({ conversation: { response_defaults: { max_output_tokens: 5 } } }, async (channel) => {
    for (const [response, words] of [
      [undefined, 5],
      [{ max_output_tokens: 2 }, 2],
    ] as const) {
      const id = await begin(channel, { type: 'response.create', response })
      const done = await doneOf(channel, id)
      expect(done).toMatchObject({ response: { status: 'incomplete', output: [{ status: 'incomplete' }] } })
      expect(deltas(channel, id).split(' ')).toHaveLength(words)
    }
  }))

test('interrupt ends the old response, clears the pending one and starts the new', () =>
  fixture.within({}, async (channel) => {
    const old = await begin(channel, speech(LONG))
    channel.say(speech('never', { scheduling_policy: 'after_current_response' }))
    await channel.next('response.output_text.delta')
    const fresh = await begin(channel, speech('Stop that.'))
    expect(at(await doneOf(channel, old), 'response', 'status')).toBe('cancelled')
    expect(at(await doneOf(channel, fresh), 'response', 'status')).toBe('completed')
    const end = channel.events.findIndex((event) => event.type === 'response.done' && idOf(event) === old)
    const late = channel.events.slice(end).filter((event) => event.response_id === old)
    expect(late).toEqual([])
    channel.say({ type: 'session.update', session: {} })
    await channel.next('session.update.done')
    expect(ofType(channel, 'response.created')).toHaveLength(2)
  }))

test('a request that is invalid interrupts nothing', () =>
  fixture.within({}, async (channel) => {
    const id = await begin(channel, speech('one two three four five six'))
    channel.say({ type: 'response.create', response: { script: {} } })
    await channel.next('error')
    expect(at(await doneOf(channel, id), 'response', 'status')).toBe('completed')
  }))

test('reject_if_busy starts when idle and is an error when busy', () =>
  fixture.within({}, async (channel) => {
    const id = await begin(channel, speech('one two three four five six', { scheduling_policy: 'reject_if_busy' }))
    channel.say(speech('me', { scheduling_policy: 'reject_if_busy' }))
    await channel.next('error')
    expect(at(await doneOf(channel, id), 'response', 'status')).toBe('completed')
    expect(ofType(channel, 'response.created')).toHaveLength(1)
  }))

test('after_current_response waits for done, alone, with the avatar of its request', () =>
  fixture.within(
    { avatars: [{ avatar_id: 'ada' }, { avatar_id: 'bob' }], session: { mode: 'text_chat', active_avatar_id: 'ada' } },
    async (channel) => {
      const first = await begin(channel, speech('one two three four five six'))
      const from = channel.events.length
      channel.say({ type: 'response.create', response: { scheduling_policy: 'after_current_response' } })
      channel.say(speech('third', { scheduling_policy: 'after_current_response' }))
      channel.say({ type: 'session.update', session: { active_avatar_id: 'bob' } })
      await channel.next('error', from)
      const created = await channel.next('response.created', from)
      const before = channel.events.slice(0, channel.events.indexOf(created))
      expect(before.some((event) => event.type === 'response.done' && idOf(event) === first)).toBe(true)
      await doneOf(channel, idOf(created))
      expect(deltas(channel, idOf(created))).toContain('This is ada.')
      expect(ofType(channel, 'response.created')).toHaveLength(2)
    },
  ))

test('cancel ends the active response, and the pending one runs', () =>
  fixture.within({}, async (channel) => {
    const old = await begin(channel, speech(LONG))
    channel.say(speech('next', { scheduling_policy: 'after_current_response' }))
    channel.say({ type: 'response.cancel' })
    expect(at(await doneOf(channel, old), 'response', 'status')).toBe('cancelled')
    const end = channel.events.findIndex((event) => event.type === 'response.done')
    const started = await channel.next('response.created', end)
    expect(idOf(started)).not.toBe(old)
    expect(at(await doneOf(channel, idOf(started)), 'response', 'status')).toBe('completed')
  }))
