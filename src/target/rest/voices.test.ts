import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawTarget, type RawReply, textBody } from '#testing/raw-target/raw-target'
import { upload, wavOf } from '#testing/raw-target/upload'
import type { KeyName } from '../keys.ts'
import { type JsonObject, objectAt, objectsAt } from '../wire.ts'

const VOICES = '/v1/voices'
let raw: RawTarget
let fileId: string

beforeAll(async () => {
  raw = await RawTarget.open()
  fileId = await sample(12)
})
afterAll(() => raw.stop())

const sample = async (seconds: number, key: KeyName = 'primary'): Promise<string> =>
  String((await upload(raw, wavOf(seconds), key)).data['file_id'])
const clone = (body: JsonObject, key: KeyName = 'primary'): Promise<RawReply> =>
  raw.call('POST', VOICES, { key, body: { name: 'Robin', file_id: fileId, ...body } })
const get = (id: unknown, key: KeyName = 'primary'): Promise<RawReply> =>
  raw.call('GET', `${VOICES}/${String(id)}`, { key })
const listed = async (key: KeyName = 'primary'): Promise<JsonObject[]> =>
  objectsAt((await raw.call('GET', VOICES, { key })).data, 'voices')
const idsOf = (voices: JsonObject[]): unknown[] => voices.map((voice) => voice['voice_id'])

test('a clone is a voice that its workspace can list and get', async () => {
  const { code, data } = await clone({ name: 'Robin Ünal 李', language: 'fil' })
  expect(code).toBe(0)
  expect(data).toEqual({ voice_id: expect.stringMatching(/^voice_\w+$/u), name: 'Robin Ünal 李', language: 'fil' })
  for (const key of ['primary', 'same_workspace'] as const) {
    expect((await get(data['voice_id'], key)).data).toEqual(data)
    expect(await listed(key)).toContainEqual(data)
  }
})

test('an omitted language is an empty string', async () => {
  for (const language of [undefined, '', null]) expect((await clone({ language })).data['language']).toBe('')
})

test('another workspace sees public voices, and neither the voice nor its sample', async () => {
  const { data } = await clone({})
  expect((await get(data['voice_id'], 'other_workspace')).code).toBe(20005)
  expect((await clone({}, 'other_workspace')).code).toBe(20005)
  const elsewhere = await listed('other_workspace')
  expect(elsewhere.length).toBeGreaterThan(0)
  expect(idsOf(elsewhere)).not.toContain(data['voice_id'])
  const shared = elsewhere[0] ?? {}
  expect((await get(shared['voice_id'])).data).toEqual(shared)
  expect(await listed()).toContainEqual(shared)
})

test.each([
  [{ name: undefined }, 20003],
  [{ file_id: undefined }, 20003],
  [{ name: '' }, 20004],
  [{ name: 7 }, 20004],
  [{ name: 'é'.repeat(129) }, 20004],
  [{ name: 'é'.repeat(128) }, 0],
  [{ file_id: 7 }, 20004],
  [{ file_id: 'file_aud_nobody' }, 20005],
  [{ language: 'xx' }, 20004],
  [{ language: 'EN' }, 20004],
  [{ language: 1 }, 20004],
])('a clone with %o is answered with %i', async (body, code) => {
  expect((await clone(body)).code).toBe(code)
})

test('a body that is no object is an invalid parameter', async () => {
  for (const body of ['{', '[]', '"x"', '']) expect((await raw.call('POST', VOICES, { body })).code).toBe(20004)
})

test('a sample may last a minute', async () => {
  const codes = []
  for (const seconds of [60, 60.5]) codes.push((await clone({ file_id: await sample(seconds) })).code)
  expect(codes).toEqual([0, 20004])
})

test('a provider that fails is told with 502 and leaves no voice', async () => {
  const { target } = raw
  const before = await listed()
  const { code, status } = await clone({ name: target.triggers.failing_voice_name })
  expect([code, status]).toEqual([30007, 502])
  expect(await listed()).toEqual(before)
  expect((await clone({})).code).toBe(0)
})

test('an unknown voice is not found', async () => {
  expect((await get('voice_nobody')).code).toBe(20005)
})

test('a session uses a voice of its workspace and no other', async () => {
  const { data } = await clone({})
  const body = (id: unknown): JsonObject => textBody({ pipeline_config: { tts_config: { tts_voice_id: id } } })
  expect((await raw.create(body(data['voice_id']))).code).toBe(0)
  expect((await raw.create(body(data['voice_id']), 'other_workspace')).code).toBe(30004)
  expect((await raw.create(body('voice_public_ada'), 'other_workspace')).code).toBe(0)
  expect((await raw.create(body('some-provider-voice'))).code).toBe(0)
})

test('a cloned voice brings its own provider and model', async () => {
  const shown = await RawTarget.open({ variations: ['pipeline-shown'] })
  const file = await upload(shown, wavOf(12))
  const voice = await shown.call('POST', VOICES, { body: { name: 'Robin', file_id: file.data['file_id'] } })
  const tts = { tts_voice_id: voice.data['voice_id'], tts_provider: 'other', tts_api_key: 'a-provider-key' }
  const { data } = await shown.create(textBody({ pipeline_config: { tts_config: tts } }))
  expect(objectAt(objectAt(data, 'pipeline_config'), 'tts_config')).toEqual({
    tts_voice_id: voice.data['voice_id'],
    tts_provider: 'builtin-clone-1.0_ws',
    tts_model_id: 'builtin-clone-1.0',
  })
  await shown.stop()
})
