import { expect, test } from 'vitest'
import { audioBlock, imageBlock, textBlock, worldBody } from '#testing/raw-target/raw-worlds'
import type { JsonObject } from '#target/wire'
import { firstBroken } from '../validations/input-validation.ts'
import { worldCapabilities } from './capabilities.ts'
import { worldCreate } from './create.ts'
import { readWorld } from './input.ts'
import { worldValidations } from './validations.ts'

const brokenBy = (
  body: JsonObject,
  change: (capabilities: ReturnType<typeof worldCapabilities>) => void = () => {},
) => {
  const capabilities = worldCapabilities()
  change(capabilities)
  return firstBroken(worldValidations(), readWorld(body, worldCreate(), capabilities))?.id
}
const prompt = (...content: unknown[]): JsonObject => worldBody({ initial_prompt: { content } })
const reference = (content: unknown, name: unknown = 'a'): JsonObject => worldBody({ references: [{ name, content }] })
const blocks = (...content: unknown[]): JsonObject => reference(content)
const named = (count: number, content: unknown = [textBlock('x')]): JsonObject =>
  worldBody({ references: Array.from({ length: count }, (_one, index) => ({ name: `n${index}`, content })) })
const frame = (url: unknown, extra: JsonObject = {}): JsonObject => worldBody({ opening_frame: { url, ...extra } })

test.each([
  ['minimal', worldBody()],
  ['several texts', prompt(textBlock('a'), textBlock('b'))],
  ['an opening frame', frame('https://media.example.com/a.png', { mime_type: 'image/jpeg' })],
  ['every block', blocks(textBlock('a'), imageBlock(), audioBlock({ transcript: 'b', mime_type: 'audio/wav' }))],
  ['as many references as allowed', named(8)],
  ['as many images as allowed', named(8, [imageBlock()])],
  ['live audio', worldBody({ live_input: { audio: { enabled: true, language: 'auto' } } })],
  ['automatic', worldBody({ continuation: { start_mode: 'automatic', max_idle_ms: 1 } })],
  ['metadata', worldBody({ metadata: { a: '' } })],
])('%s breaks no rule', (_title, body) => {
  expect(brokenBy(body)).toBe(undefined)
})

test.each<[string, JsonObject]>([
  ['model-missing', { ...worldBody(), model: undefined }],
  ['model-not-string', worldBody({ model: 1 })],
  ['model-unsupported', worldBody({ model: 'svc-a1-stream' })],
  ['idempotency-key-not-string', worldBody({ idempotency_key: 1 })],
  ['duration-not-integer', worldBody({ max_session_duration_seconds: '60' })],
  ['duration-not-positive', worldBody({ max_session_duration_seconds: 0 })],
  ['metadata-not-object', worldBody({ metadata: [] })],
  ['metadata-value-not-string', worldBody({ metadata: { a: 1 } })],
  ['prompt-missing', { model: 'svc-w1-stream' }],
  ['prompt-not-object', worldBody({ initial_prompt: 'x' })],
  ['prompt-content-missing', worldBody({ initial_prompt: {} })],
  ['prompt-content-not-array', worldBody({ initial_prompt: { content: 'x' } })],
  ['prompt-content-empty', prompt()],
  ['prompt-content-not-objects', prompt('x')],
  ['prompt-type-unsupported', prompt(textBlock('a'), imageBlock())],
  ['prompt-type-missing', prompt({ text: 'a' })],
  ['prompt-type-not-string', prompt({ type: 1, text: 'a' })],
  ['prompt-text-missing', prompt({ type: 'input_text' })],
  ['prompt-text-not-string', prompt({ type: 'input_text', text: 1 })],
  ['prompt-text-empty', prompt(textBlock(''))],
  ['frame-not-object', worldBody({ opening_frame: 'x' })],
  ['frame-url-missing', worldBody({ opening_frame: {} })],
  ['frame-url-not-string', frame(1)],
  ['frame-url-empty', frame('')],
  ['frame-url-not-https', frame('http://media.example.com/a.png')],
  ['frame-url-not-https', frame('no url')],
  ['frame-mime-type-not-string', frame('https://a.example/b', { mime_type: 1 })],
  ['frame-mime-type-not-image', frame('https://a.example/b', { mime_type: 'audio/wav' })],
  ['reference-type-unsupported', blocks({ type: 'input_video', url: 'https://a.example/b' })],
  ['reference-type-missing', blocks({ text: 'a' })],
  ['reference-text-missing', blocks({ type: 'input_text' })],
  ['reference-text-empty', blocks(textBlock(''))],
  ['reference-image-url-missing', blocks({ type: 'input_image' })],
  ['reference-audio-url-missing', blocks({ type: 'input_audio' })],
  ['reference-url-not-string', blocks(imageBlock({ url: 1 }))],
  ['reference-url-empty', blocks(audioBlock({ url: '' }))],
  ['reference-image-url-not-https', blocks(imageBlock({ url: 'http://a.example/b' }))],
  ['reference-audio-url-not-https', blocks(audioBlock({ url: 'ftp://a.example/b' }))],
  ['reference-mime-type-not-string', blocks(imageBlock({ mime_type: 1 }))],
  ['reference-transcript-not-string', blocks(audioBlock({ transcript: 1 }))],
  ['references-not-array', worldBody({ references: {} })],
  ['references-not-objects', worldBody({ references: ['a'] })],
  ['reference-name-missing', worldBody({ references: [{ content: [textBlock('a')] }] })],
  ['reference-name-not-string', reference([textBlock('a')], 1)],
  ['reference-name-empty', reference([textBlock('a')], '')],
  ['reference-name-repeated', worldBody({ references: [1, 2].map(() => ({ name: 'a', content: [textBlock('a')] })) })],
  ['reference-content-missing', worldBody({ references: [{ name: 'a' }] })],
  ['reference-content-not-array', reference('x')],
  ['reference-content-empty', reference([])],
  ['reference-content-not-objects', reference(['x'])],
  ['references-too-many', named(9)],
  ['reference-images-too-many', named(3, [imageBlock(), imageBlock(), imageBlock()])],
  ['output-not-object', worldBody({ output: '720p' })],
  ['aspect-ratio-not-string', worldBody({ output: { aspect_ratio: 1 } })],
  ['aspect-ratio-unsupported', worldBody({ output: { aspect_ratio: '4:3' } })],
  ['resolution-not-string', worldBody({ output: { resolution: 720 } })],
  ['resolution-unsupported', worldBody({ output: { resolution: '1080p' } })],
  ['captions-not-boolean', worldBody({ output: { captions: 'on' } })],
  ['live-input-not-object', worldBody({ live_input: true })],
  ['audio-not-object', worldBody({ live_input: { audio: true } })],
  ['audio-enabled-not-boolean', worldBody({ live_input: { audio: { enabled: 'yes' } } })],
  ['transcription-not-boolean', worldBody({ live_input: { audio: { transcription: 1 } } })],
  ['language-not-string', worldBody({ live_input: { audio: { language: 1 } } })],
  ['continuation-not-object', worldBody({ continuation: 'manual' })],
  ['start-mode-not-string', worldBody({ continuation: { start_mode: 1 } })],
  ['start-mode-unknown', worldBody({ continuation: { start_mode: 'later' } })],
  ['max-idle-not-integer', worldBody({ continuation: { max_idle_ms: 1.5 } })],
  ['max-idle-not-positive', worldBody({ continuation: { max_idle_ms: 0 } })],
])('%s', (id, body) => {
  expect(brokenBy(body)).toBe(id)
})

test('what the capabilities exclude is refused', () => {
  const audio = worldBody({ live_input: { audio: { enabled: true } } })
  expect(brokenBy(audio, ({ live_audio }) => void (live_audio.supported = false))).toBe('live-audio-unsupported')
  const automatic = worldBody({ continuation: { start_mode: 'automatic' } })
  expect(brokenBy(automatic, ({ continuation }) => void (continuation.automatic = false))).toBe(
    'start-mode-unsupported',
  )
  const types = ['input_text', 'input_image']
  expect(brokenBy(blocks(textBlock('a'), audioBlock()), (all) => void (all.reference_content_types = types))).toBe(
    'reference-type-unsupported',
  )
  expect(brokenBy(named(3), ({ limits }) => void (limits.max_references = 2))).toBe('references-too-many')
})
