import { afterAll, expect, test } from 'vitest'
import { RawTarget, type RawChannel, speak, textBody, videoBody } from '#testing/raw-target/raw-target'
import { type JsonObject, objectAt, objectsAt } from '../wire.ts'

const raw = await RawTarget.open()
afterAll(() => raw.stop())

const LONG = 'All the world is a stage, and all the men and women merely players. '.repeat(30)
const TOOL = {
  type: 'function',
  name: 'look_up',
  parameters: { type: 'object', properties: { topic: { type: 'string' } } },
}
const create = (response: JsonObject, id = 'r'): JsonObject => ({ type: 'response.create', event_id: id, response })
const say = (text: string): JsonObject => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const ask = (channel: RawChannel, text: string): void =>
  channel.send({ type: 'conversation.item.create', item: say(text) })

const started = (channel: RawChannel, id: string): Promise<JsonObject> =>
  channel.until((event) => event['type'] === 'response.created' && event['request_event_id'] === id)

/** The `response.done` of the response that the request started. */
async function ended(channel: RawChannel, id: string): Promise<JsonObject> {
  const { response } = await started(channel, id)
  const { id: responseId } = objectAt({ response }, 'response')
  const done = await channel.until(
    (event) => event['type'] === 'response.done' && objectAt(event, 'response')['id'] === responseId,
  )
  return objectAt(done, 'response')
}

const typesOf = (channel: RawChannel): string[] => [...new Set(channel.types())]

test('a text response streams without rendering and writes an assistant message', async () => {
  const { channel } = await raw.session(textBody())
  channel.send({ ...speak('Hello there, my friend.'), event_id: 'r' })
  const response = await ended(channel, 'r')
  expect(typesOf(channel)).toEqual([
    'response.created',
    'conversation.item.created',
    'response.output_text.delta',
    'response.output_text.done',
    'response.output_item.done',
    'response.done',
  ])
  const [item] = objectsAt(response, 'output')
  expect(item).toMatchObject({
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hello there, my friend.' }],
  })
  channel.send({ type: 'conversation.item.retrieve', item_id: item?.['id'] })
  expect((await channel.untilType('conversation.item.retrieved'))['item']).toEqual(item)
})

test('an out-of-band response is written nowhere', async () => {
  const { channel } = await raw.session(textBody())
  channel.send({ ...speak('Aside.', { conversation: 'none' }), event_id: 'r' })
  const [item] = objectsAt(await ended(channel, 'r'), 'output')
  channel.send({ type: 'conversation.item.retrieve', item_id: item?.['id'] })
  await channel.untilType('error')
  expect(channel.types()).not.toContain('conversation.item.created')
})

test('a reply speaks of the question; input replaces the conversation', async () => {
  const { channel } = await raw.session(textBody())
  ask(channel, 'What is blue?')
  channel.send(create({}, 'r1'))
  expect(JSON.stringify(await ended(channel, 'r1'))).toContain('What is blue?')
  channel.send(create({ input: [say('What is red?')] }, 'r2'))
  expect(JSON.stringify(await ended(channel, 'r2'))).toContain('What is red?')
  channel.send(create({ input: [] }, 'r3'))
  expect(JSON.stringify(await ended(channel, 'r3'))).not.toContain('What is blue?')
})

test('max_output_tokens ends a reply as incomplete', async () => {
  const { channel } = await raw.session(textBody())
  channel.send(create({ max_output_tokens: 2 }))
  const response = await ended(channel, 'r')
  expect(response).toMatchObject({ status: 'incomplete', max_output_tokens: 2, output: [{ status: 'incomplete' }] })
})

test('a tool call goes directly to its end, without rendering, and its output is answered in words', async () => {
  const { channel } = await raw.session(videoBody({ conversation: { tools: [TOOL] } }))
  ask(channel, raw.target.triggers.tool_call_text)
  channel.send(create({}, 'r1'))
  const [call] = objectsAt(await ended(channel, 'r1'), 'output')
  expect(call).toMatchObject({ type: 'function_call', name: 'look_up', arguments: '{"topic":"value"}' })
  expect(channel.types()).not.toContain('response.render.started')
  const output = { type: 'function_call_output', call_id: call?.['call_id'], output: '42' }
  channel.send({ type: 'conversation.item.create', item: output })
  channel.send(create({}, 'r2'))
  expect(await ended(channel, 'r2')).toMatchObject({ output: [{ type: 'message' }] })
})

test('audio and visual actions render without text', async () => {
  const { channel } = await raw.session(videoBody())
  channel.send(create({ script: { visual: { prompt: 'Wave. [SHOT_SEP] Nod.', duration_ms: 20 } } }, 'r1'))
  expect(await ended(channel, 'r1')).toMatchObject({ status: 'completed', output: [] })
  const audio = { type: 'audio', mime_type: 'audio/wav', url: 'https://media.example.com/a.wav' }
  channel.send(create({ script: { vocal: audio } }, 'r2'))
  expect(await ended(channel, 'r2')).toMatchObject({ status: 'completed', output: [] })
  expect(typesOf(channel)).toEqual([
    'response.created',
    'response.render.started',
    'response.render.stopped',
    'response.done',
  ])
})

test('interrupting ends the old response and starts the new one', async () => {
  const { channel } = await raw.session(videoBody())
  channel.send({ ...speak(LONG), event_id: 'old' })
  await channel.untilType('response.output_text.delta')
  channel.send({ ...speak('Now this.'), event_id: 'new' })
  expect(await ended(channel, 'new')).toMatchObject({ status: 'completed' })
  const old = await ended(channel, 'old')
  expect(old).toMatchObject({ status: 'cancelled', output: [{ status: 'incomplete' }] })
  const stopped = channel.events.find((event) => event['type'] === 'response.render.stopped')
  expect(stopped).toMatchObject({ response_id: old['id'], status: 'interrupted' })
})

test('reject_if_busy is refused while busy and starts when idle', async () => {
  const { channel } = await raw.session(textBody())
  channel.send({ ...speak(LONG), event_id: 'old' })
  channel.send({ ...speak('No.', { scheduling_policy: 'reject_if_busy' }), event_id: 'no' })
  expect((await channel.untilType('error'))['error']).toMatchObject({ event_id: 'no' })
  expect(await ended(channel, 'old')).toMatchObject({ status: 'completed' })
  channel.send({ ...speak('Yes.', { scheduling_policy: 'reject_if_busy' }), event_id: 'yes' })
  await ended(channel, 'yes')
})

test('one response may wait; it keeps the state of its submission and starts after the end of the active one', async () => {
  const { channel } = await raw.session(videoBody())
  channel.send({ ...speak(LONG), event_id: 'old' })
  channel.send({ ...speak('Next.', { scheduling_policy: 'after_current_response' }), event_id: 'next' })
  channel.send({ ...speak('Third.', { scheduling_policy: 'after_current_response' }), event_id: 'third' })
  expect((await channel.untilType('error'))['error']).toMatchObject({ event_id: 'third' })
  channel.send({ type: 'session.update', session: { mode: 'text_chat' } })
  await ended(channel, 'next')
  const marks = channel.types().filter((type) => /created|done|render/u.test(type) && type.startsWith('response.'))
  expect(marks.filter((type) => type !== 'response.output_text.done' && type !== 'response.output_item.done')).toEqual([
    'response.created',
    'response.render.started',
    'response.render.stopped',
    'response.done',
    'response.created',
    'response.render.started',
    'response.render.stopped',
    'response.done',
  ])
})

test('an interruption clears the waiting response', async () => {
  const { channel } = await raw.session(textBody())
  channel.send({ ...speak(LONG), event_id: 'old' })
  channel.send({ ...speak('Waiting.', { scheduling_policy: 'after_current_response' }), event_id: 'waiting' })
  channel.send({ ...speak('Now.'), event_id: 'now' })
  await ended(channel, 'now')
  channel.send({ ...speak('After.'), event_id: 'after' })
  await ended(channel, 'after')
  const created = channel.events.filter((event) => event['type'] === 'response.created')
  expect(created.map((event) => event['request_event_id'])).toEqual(['old', 'now', 'after'])
})

test('cancelling ends the active response, lets the waiting one start, and is an error when idle', async () => {
  const { channel } = await raw.session(videoBody())
  channel.send({ ...speak(LONG), event_id: 'old' })
  await channel.untilType('response.render.started')
  channel.send({ ...speak('Next.', { scheduling_policy: 'after_current_response' }), event_id: 'next' })
  channel.send({ type: 'response.cancel' })
  expect(await ended(channel, 'old')).toMatchObject({ status: 'cancelled' })
  expect(await ended(channel, 'next')).toMatchObject({ status: 'completed' })
  channel.send({ type: 'response.cancel', event_id: 'idle' })
  expect((await channel.untilType('error'))['error']).toMatchObject({ event_id: 'idle' })
})
