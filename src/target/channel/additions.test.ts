import { afterAll, beforeAll, expect, test } from 'vitest'
import { AVATAR, RawTarget, FACE, type RawChannel, speak, textBody, videoBody } from '#testing/raw-target/raw-target'
import { type JsonObject, objectAt } from '../wire.ts'

let raw: RawTarget
let channel: RawChannel

beforeAll(async () => {
  raw = await RawTarget.open()
  const pipeline_config = { tts_config: { tts_voice_id: 'v' } }
  const session = await raw.session(
    videoBody({ pipeline_config, assets: { speech_text: [{ asset_id: 'hello', text: 'Hello.' }] } }),
  )
  channel = session.channel
})
afterAll(() => raw.stop())

const URL = 'https://media.example.com/x'
const add = (assets: unknown): JsonObject => ({ type: 'asset.add', assets })
const meet = (...avatars: unknown[]): JsonObject => ({ type: 'avatar.add', avatars })

async function reasonOf(event: JsonObject): Promise<unknown> {
  const id = `e${Math.random()}`
  channel.send({ ...event, event_id: id })
  const error = await channel.until((one) => objectAt(one, 'error')['event_id'] === id)
  return objectAt(error, 'error')['message']
}

test('assets of all kinds are registered and usable', async () => {
  const { channel: own } = await raw.session(textBody())
  const assets = {
    images: [{ asset_id: 'i', url: URL, mime_type: 'image/png' }],
    audio: [{ asset_id: 'a', url: URL, mime_type: 'audio/mpeg' }],
    speech_text: [{ asset_id: 's', text: 'Spoken.', format: 'text' }],
    visual_prompts: [{ asset_id: 'v', text: 'Wave.' }],
  }
  own.send(add(assets))
  expect((await own.untilType('asset.added'))['assets']).toEqual(assets)
  own.send({
    type: 'response.create',
    response: { script: { vocal: { type: 'speech_asset', speech_text_asset_id: 's' } } },
  })
  expect((await own.untilType('response.output_text.done'))['text']).toBe('Spoken.')
})

test.each([
  ['assets-missing', undefined],
  ['assets-not-object', []],
  ['assets-none', {}],
  ['assets-none', { images: [] }],
  ['images-not-array', { images: {} }],
  ['asset-id-missing', { images: [{ url: URL }] }],
  ['asset-id-repeated', { images: [{ asset_id: 'x', url: URL }], audio: [{ asset_id: 'x', url: URL }] }],
  ['asset-id-taken', { visual_prompts: [{ asset_id: 'hello', text: 'Wave.' }] }],
  ['image-url-missing', { images: [{ asset_id: 'x' }] }],
  ['image-url-not-https', { images: [{ asset_id: 'x', url: 'http://media.example.com/x' }] }],
  ['audio-url-not-https', { audio: [{ asset_id: 'x', url: 'ftp://media.example.com/x' }] }],
  ['audio-type-unknown', { audio: [{ asset_id: 'x', url: URL, mime_type: 'audio/ogg' }] }],
  ['speech-text-missing', { speech_text: [{ asset_id: 'x' }] }],
  ['visual-prompt-missing', { visual_prompts: [{ asset_id: 'x', prompt: 'Wave.' }] }],
  ['format-not-string', { speech_text: [{ asset_id: 'x', text: 'Hi', format: 1 }] }],
])('assets: %s', async (id, assets) => {
  expect(await reasonOf(add(assets))).toContain(`(${id})`)
})

test('one bad asset keeps the good one out', async () => {
  await reasonOf(add({ speech_text: [{ asset_id: 'good', text: 'Good.' }, { asset_id: 'bad' }] }))
  const wanted = { script: { vocal: { type: 'speech_asset', speech_text_asset_id: 'good' } } }
  expect(await reasonOf({ type: 'response.create', response: wanted })).toContain('(speech-asset-unknown)')
})

test('an added avatar is selected by session.update only', async () => {
  const { channel: own } = await raw.session(videoBody())
  const added = { avatar_id: 'new', instructions: 'Be kind.', visual: { source_images: [FACE] } }
  own.send(meet(added))
  expect((await own.untilType('avatar.added'))['avatars']).toEqual([added])
  own.send({ type: 'session.update', event_id: '1', session: {} })
  own.send({ type: 'session.update', event_id: '2', session: { active_avatar_id: 'new' } })
  const [first, second] = await Promise.all(['1', '2'].map((id) => own.until((event) => event['event_id'] === id)))
  expect(objectAt(first, 'session')['active_avatar_id']).toBe('guide')
  expect(objectAt(second, 'session')['active_avatar_id']).toBe('new')
})

test.each([
  ['avatars-missing', { type: 'avatar.add' }],
  ['avatars-empty', meet()],
  ['avatar-id-missing', meet({ instructions: 'x' })],
  ['avatar-id-repeated', meet({ avatar_id: 'x' }, { avatar_id: 'x' })],
  ['avatar-id-taken', meet(AVATAR)],
  [
    'media-type-not-image',
    meet({ avatar_id: 'x', visual: { source_images: [{ ...FACE, media_type: 'text/plain' }] } }),
  ],
  ['added-image-url-missing', meet({ avatar_id: 'x', visual: { source_images: [{ ...FACE, url: undefined }] } })],
  ['voice-beside-tts', meet({ avatar_id: 'x', voice: { provider: 'p', provider_voice_id: 'v', model: 'm' } })],
])('avatars: %s', async (id, event) => {
  expect(await reasonOf(event)).toContain(`(${id})`)
})

test('one bad avatar keeps the good one out', async () => {
  await reasonOf(meet({ avatar_id: 'fine' }, { avatar_id: '' }))
  const select = { type: 'session.update', session: { active_avatar_id: 'fine' } }
  expect(await reasonOf(select)).toContain('(active-avatar-unknown)')
  channel.send(speak('Still here.'))
  await channel.untilType('response.done')
})
