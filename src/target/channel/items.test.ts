import { afterAll, expect, test } from 'vitest'
import { RawTarget, type RawChannel, textBody } from '#testing/raw-target/raw-target'
import { type JsonObject, objectAt } from '../wire.ts'

const raw = await RawTarget.open()
afterAll(() => raw.stop())

const message = (fields: JsonObject = {}): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: 'Hi' }],
  ...fields,
})
const part = (fields: JsonObject): JsonObject => message({ content: [fields] })
const create = (item: unknown, extra: JsonObject = {}): JsonObject => ({
  type: 'conversation.item.create',
  item,
  ...extra,
})

async function put(channel: RawChannel, id: string, extra: JsonObject = {}): Promise<unknown> {
  channel.send(create(message({ id }), extra))
  const event = await channel.until((one) => objectAt(one, 'item')['id'] === id)
  return event['previous_item_id']
}

test('items are appended, inserted after another, or at the root', async () => {
  const { channel } = await raw.session(textBody())
  expect(await put(channel, 'a')).toBe(null)
  expect(await put(channel, 'b')).toBe('a')
  expect(await put(channel, 'first', { previous_item_id: 'root' })).toBe(null)
  expect(await put(channel, 'between', { previous_item_id: 'a' })).toBe('a')
  expect(await put(channel, 'last')).toBe('b')
})

test('an item without an id gets one, is retrieved as it was stored, and deleted', async () => {
  const { channel } = await raw.session(textBody())
  channel.send(create(message()))
  const { item } = await channel.untilType('conversation.item.created')
  expect(item).toEqual({ ...message(), id: expect.any(String), status: 'completed' })
  const id = objectAt({ item }, 'item')['id']
  channel.send({ type: 'conversation.item.retrieve', item_id: id })
  expect((await channel.untilType('conversation.item.retrieved'))['item']).toEqual(item)
  channel.send({ type: 'conversation.item.delete', item_id: id })
  expect((await channel.untilType('conversation.item.deleted'))['item_id']).toBe(id)
  channel.send({ type: 'conversation.item.retrieve', item_id: id })
  await channel.untilType('error')
})

test.each([
  ['function_call', { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c' }],
  ['function_call_output', { type: 'function_call_output', call_id: 'c', output: 'done' }],
  ['image', part({ type: 'input_image', image_url: 'https://media.example.com/x.png', detail: 'low' })],
  ['audio', part({ type: 'input_audio', audio: 'AAAA', transcript: 'ah' })],
  ['assistant', message({ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] })],
  ['system', message({ role: 'system' })],
])('%s items are taken', async (_name, item) => {
  const { channel } = await raw.session(textBody())
  channel.send(create(item))
  expect((await channel.untilType('conversation.item.created'))['item']).toMatchObject(item)
})

test.each([
  ['item-missing', create(undefined)],
  ['item-not-object', create('x')],
  ['item-id-not-string', create(message({ id: 1 }))],
  ['item-id-empty', create(message({ id: '' }))],
  ['item-id-taken', create(message({ id: 'taken' }))],
  ['item-type-missing', create(message({ type: undefined }))],
  ['item-type-unknown', create(message({ type: 'note' }))],
  ['item-status-unknown', create(message({ status: 'new' }))],
  ['role-missing', create(message({ role: undefined }))],
  ['role-unknown', create(message({ role: 'tool' }))],
  ['content-missing', create(message({ content: undefined }))],
  ['content-not-array', create(message({ content: 'Hi' }))],
  ['content-not-objects', create(message({ content: ['Hi'] }))],
  ['part-type-missing', create(part({ text: 'Hi' }))],
  ['part-type-unknown', create(part({ type: 'output_text', text: 'Hi' }))],
  ['part-text-missing', create(part({ type: 'input_text' }))],
  ['part-text-not-string', create(part({ type: 'text', text: 1 }))],
  ['part-audio-not-string', create(part({ type: 'input_audio', audio: 1 }))],
  ['part-audio-not-base64', create(part({ type: 'input_audio', audio: 'a b' }))],
  ['part-transcript-not-string', create(part({ type: 'input_audio', audio: 'AAAA', transcript: 1 }))],
  ['part-image-missing', create(part({ type: 'input_image' }))],
  ['part-image-not-string', create(part({ type: 'input_image', image_url: 1 }))],
  ['part-detail-unknown', create(part({ type: 'input_image', image_url: 'x', detail: 'huge' }))],
  ['call-name-missing', create({ type: 'function_call', arguments: '{}' })],
  ['call-name-not-string', create({ type: 'function_call', name: 1, arguments: '{}' })],
  ['call-id-not-string', create({ type: 'function_call', name: 'f', arguments: '{}', call_id: 1 })],
  ['call-arguments-missing', create({ type: 'function_call', name: 'f' })],
  ['call-arguments-not-string', create({ type: 'function_call', name: 'f', arguments: {} })],
  ['call-arguments-not-json', create({ type: 'function_call', name: 'f', arguments: 'x' })],
  ['output-call-id-missing', create({ type: 'function_call_output', output: 'x' })],
  ['output-call-id-not-string', create({ type: 'function_call_output', call_id: 1, output: 'x' })],
  ['output-missing', create({ type: 'function_call_output', call_id: 'c' })],
  ['output-not-string', create({ type: 'function_call_output', call_id: 'c', output: {} })],
  ['previous-not-string', create(message(), { previous_item_id: 1 })],
  ['previous-unknown', create(message(), { previous_item_id: 'nobody' })],
  ['item-id-missing', { type: 'conversation.item.retrieve' }],
  ['item-id-not-string', { type: 'conversation.item.delete', item_id: 1 }],
  ['item-unknown', { type: 'conversation.item.delete', item_id: 'nobody' }],
])('%s is refused', async (id, event) => {
  const { channel } = await raw.session(textBody())
  await put(channel, 'taken')
  channel.send({ ...event, event_id: 'bad' })
  const error = await channel.untilType('error')
  expect(error['error']).toMatchObject({ event_id: 'bad', message: expect.stringContaining(`(${id})`) })
})
