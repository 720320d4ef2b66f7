import { afterAll, expect, test } from 'vitest'
import { AVATAR, RawTarget, FACE, textBody, videoBody } from '#testing/raw-target/raw-target'
import type { JsonObject } from '#target/wire'
import { validationTables } from './tables.ts'

const raw = await RawTarget.open()
afterAll(() => raw.stop())

const voice = (fields: JsonObject): JsonObject =>
  videoBody({ avatars: [{ ...AVATAR, voice: { provider: 'p', provider_voice_id: 'v', model: 'm', ...fields } }] })
const visual = (fields: JsonObject): JsonObject =>
  videoBody({ avatars: [{ avatar_id: 'guide', visual: { source_images: [FACE], ...fields } }] })
const image = (fields: JsonObject): JsonObject => visual({ source_images: [{ ...FACE, ...fields }] })
const avatar = (fields: JsonObject): JsonObject => videoBody({ avatars: [{ ...AVATAR, ...fields }] })
const second = { avatar_id: 'second' }
const asset = (kind: string, fields: unknown): JsonObject => videoBody({ assets: { [kind]: fields } })
const sound = (fields: JsonObject): JsonObject =>
  asset('audio', [{ asset_id: 's', url: 'https://media.example.com/a.wav', ...fields }])
const words = (fields: JsonObject): JsonObject => asset('speech_text', [{ asset_id: 't', text: 'hi', ...fields }])
const gesture = (fields: JsonObject): JsonObject =>
  asset('visual_prompts', [{ asset_id: 'g', prompt: 'wave', ...fields }])
const talk = (conversation: unknown): JsonObject => videoBody({ conversation })
const tool = (fields: JsonObject): JsonObject => talk({ tools: [{ type: 'function', name: 'look_up', ...fields }] })
const pipeline = (fields: JsonObject): JsonObject =>
  videoBody({ pipeline_config: { tts_config: { tts_voice_id: 'v' }, ...fields } })
const tts = (fields: JsonObject): JsonObject => pipeline({ tts_config: { tts_voice_id: 'v', ...fields } })
const asr = (fields: JsonObject): JsonObject => pipeline({ asr_config: { provider: 'p', ...fields } })
const llm = (fields: JsonObject): JsonObject => pipeline({ llm_config: fields })
const closing = (fields: JsonObject, extra: JsonObject = {}): JsonObject => videoBody({ auto_close: fields, ...extra })
const state = (session: JsonObject, extra: JsonObject = {}): JsonObject => videoBody({ session, ...extra })
const gone = undefined

/** A body for each rule that breaks this rule and no other. */
const FAULTS: Record<string, JsonObject> = {
  'avatars-missing': videoBody({ avatars: gone }),
  'avatars-not-array': videoBody({ avatars: {} }),
  'avatars-empty': videoBody({ avatars: [] }),
  'avatars-not-objects': videoBody({ avatars: ['guide'] }),
  'avatar-id-missing': avatar({ avatar_id: gone }),
  'avatar-id-not-string': avatar({ avatar_id: 5 }),
  'avatar-id-empty': avatar({ avatar_id: '' }),
  'avatar-id-repeated': videoBody({ avatars: [AVATAR, AVATAR], session: { active_avatar_id: 'guide' } }),
  'avatar-instructions-not-string': avatar({ instructions: {} }),
  'voice-not-object': avatar({ voice: 'v' }),
  'voice-provider-missing': voice({ provider: gone }),
  'voice-provider-not-string': voice({ provider: 1 }),
  'voice-id-missing': voice({ provider_voice_id: gone }),
  'voice-id-not-string': voice({ provider_voice_id: 1 }),
  'voice-model-missing': voice({ model: gone }),
  'voice-model-not-string': voice({ model: 1 }),
  'voice-speed-not-number': voice({ speed: '1' }),
  'voice-speed-low': voice({ speed: 0.69 }),
  'voice-speed-high': voice({ speed: 1.21 }),
  'visual-not-object': avatar({ visual: 'face' }),
  'visual-instructions-not-string': visual({ instructions: 1 }),
  'source-images-missing': visual({ source_images: gone }),
  'source-images-not-array': visual({ source_images: {} }),
  'source-images-not-objects': visual({ source_images: ['face'] }),
  'source-image-id-missing': image({ source_image_id: gone }),
  'source-image-id-not-string': image({ source_image_id: 1 }),
  'source-image-id-empty': image({ source_image_id: '' }),
  'source-image-id-repeated': visual({ source_images: [FACE, FACE], default_source_image_id: 'face' }),
  'source-image-url-not-string': image({ url: 1 }),
  'source-image-url-invalid': image({ url: 'face.png' }),
  'source-image-description-not-string': image({ description: 1 }),
  'media-type-missing': image({ media_type: gone }),
  'media-type-not-string': image({ media_type: 1 }),
  'media-type-not-image': image({ media_type: 'video/mp4' }),
  'default-source-image-not-string': visual({ default_source_image_id: 1 }),
  'model-missing': videoBody({ model: gone }),
  'model-not-string': videoBody({ model: 1 }),
  'model-unsupported': videoBody({ model: 'svc-w1-stream' }),
  'idempotency-key-not-string': videoBody({ idempotency_key: 1 }),
  'region-not-string': videoBody({ region: 1 }),
  'recording-mode-not-string': videoBody({ recording_mode: true }),
  'recording-mode-unknown': videoBody({ recording_mode: 'auto' }),
  'session-not-object': videoBody({ session: 'x' }),
  'output-not-object': videoBody({ output: 'x' }),
  'delivery-not-object': videoBody({ delivery: 'x' }),
  'auto-close-not-object': videoBody({ auto_close: 5 }),
  'mode-not-string': state({ mode: 1 }),
  'mode-unknown': state({ mode: 'audio' }),
  'active-avatar-not-string': state({ active_avatar_id: 1 }),
  'active-avatar-ambiguous': videoBody({ avatars: [AVATAR, second] }),
  'active-avatar-unknown': state({ active_avatar_id: 'nobody' }),
  'source-image-not-string': state({ source_image_id: 1 }),
  'source-image-unknown': state({ source_image_id: 'nothing' }),
  'source-image-unusable': { ...image({ url: gone }), session: { source_image_id: 'face' } },
  'source-image-unresolved': videoBody({ avatars: [{ avatar_id: 'guide' }] }),
  'output-missing': videoBody({ output: gone }),
  'resolution-not-string': videoBody({ output: { aspect_ratio: '9:16', resolution: 480 } }),
  'resolution-unsupported': videoBody({ output: { aspect_ratio: '9:16', resolution: '1080p' } }),
  'aspect-ratio-not-string': videoBody({ output: { aspect_ratio: 1, resolution: '480p' } }),
  'aspect-ratio-unsupported': videoBody({ output: { aspect_ratio: 'wide', resolution: '480p' } }),
  'transport-not-string': videoBody({ delivery: { media: { transport: 1 } } }),
  'transport-unknown': videoBody({ delivery: { media: { transport: 'rtc_c' } } }),
  'duration-not-integer': videoBody({ max_duration_seconds: 4.5 }),
  'duration-zero': videoBody({ max_duration_seconds: 0 }),
  'duration-low': videoBody({ max_duration_seconds: 3 }),
  'duration-high': videoBody({ max_duration_seconds: 7201 }),
  'disconnected-not-integer': closing({ disconnected_timeout_seconds: '10' }),
  'duration-negative': videoBody({ max_duration_seconds: -1 }),
  'disconnected-negative': closing({ disconnected_timeout_seconds: -10 }),
  'idle-negative': closing({ interaction_idle_timeout_seconds: -30 }),
  'disconnected-low': closing({ disconnected_timeout_seconds: 9 }),
  'disconnected-high': closing({ disconnected_timeout_seconds: 3601 }),
  'disconnected-over-duration': closing({ disconnected_timeout_seconds: 61 }, { max_duration_seconds: 60 }),
  'idle-not-integer': closing({ interaction_idle_timeout_seconds: 30.5 }),
  'idle-low': closing({ interaction_idle_timeout_seconds: 29 }),
  'idle-high': closing({ interaction_idle_timeout_seconds: 3601 }),
  'idle-over-duration': closing({ interaction_idle_timeout_seconds: 61 }, { max_duration_seconds: 60 }),
  'assets-not-object': videoBody({ assets: [] }),
  'audio-not-array': asset('audio', {}),
  'speech_text-not-array': asset('speech_text', {}),
  'visual_prompts-not-array': asset('visual_prompts', {}),
  'audio-not-objects': asset('audio', [1]),
  'speech_text-not-objects': asset('speech_text', [1]),
  'visual_prompts-not-objects': asset('visual_prompts', [1]),
  'asset-id-missing': words({ asset_id: gone }),
  'asset-id-not-string': words({ asset_id: 1 }),
  'asset-id-empty': words({ asset_id: '' }),
  'asset-id-repeated': videoBody({
    assets: { speech_text: [{ asset_id: 'a', text: 'hi' }], visual_prompts: [{ asset_id: 'a', prompt: 'wave' }] },
  }),
  'audio-url-missing': sound({ url: gone }),
  'audio-url-not-string': sound({ url: 1 }),
  'audio-url-not-https': sound({ url: 'http://media.example.com/a.wav' }),
  'audio-type-not-string': sound({ mime_type: 1 }),
  'audio-type-unknown': sound({ mime_type: 'audio/ogg' }),
  'speech-text-missing': words({ text: gone }),
  'speech-text-not-string': words({ text: 1 }),
  'visual-prompt-missing': gesture({ prompt: gone, text: 'wave' }),
  'visual-prompt-not-string': gesture({ prompt: 1 }),
  'conversation-not-object': talk('x'),
  'instructions-not-string': talk({ instructions: 1 }),
  'tools-not-array': talk({ tools: {} }),
  'tools-not-objects': talk({ tools: [1] }),
  'tool-type-missing': tool({ type: gone }),
  'tool-type-not-function': tool({ type: 'mcp' }),
  'tool-name-missing': tool({ name: gone }),
  'tool-name-not-string': tool({ name: 1 }),
  'tool-name-empty': tool({ name: '' }),
  'tool-description-not-string': tool({ description: 1 }),
  'tool-parameters-not-object': tool({ parameters: '{}' }),
  'response-defaults-not-object': talk({ response_defaults: 1 }),
  'temperature-not-number': talk({ response_defaults: { temperature: '1' } }),
  'temperature-low': talk({ response_defaults: { temperature: -0.01 } }),
  'temperature-high': talk({ response_defaults: { temperature: 2.01 } }),
  'default-tokens-not-integer': talk({ response_defaults: { max_output_tokens: 1.5 } }),
  'turn-detection-not-object': talk({ turn_detection: 'manual' }),
  'turn-detection-type-not-string': talk({ turn_detection: { type: 1 } }),
  'turn-detection-type-unknown': talk({ turn_detection: { type: 'auto' } }),
  'silence-not-integer': talk({ turn_detection: { silence_duration_ms: '500' } }),
  'transcription-not-object': talk({ input_audio_transcription: true }),
  'transcription-enabled-not-boolean': talk({ input_audio_transcription: { enabled: 'yes' } }),
  'transcription-language-not-string': talk({ input_audio_transcription: { language: 1 } }),
  'pipeline-not-object': videoBody({ pipeline_config: 'x' }),
  'tag-audio-not-boolean': pipeline({ tag_audio_enabled: 'true' }),
  'tts-missing': videoBody({ pipeline_config: { llm_config: {} } }),
  'tts-not-object': videoBody({ pipeline_config: { tts_config: 'v' } }),
  'tts-voice-missing': videoBody({ pipeline_config: { tts_config: {} } }),
  'tts-voice-not-string': tts({ tts_voice_id: 1 }),
  'tts-voice-empty': tts({ tts_voice_id: '' }),
  'tts-provider-not-string': tts({ tts_provider: 1 }),
  'tts-model-not-string': tts({ tts_model_id: 1 }),
  'tts-endpoint-not-string': tts({ tts_endpoint: 1 }),
  'tts-key-not-string': tts({ tts_api_key: 1 }),
  'tts-payload-not-object': tts({ payload: '{}' }),
  'asr-not-object': pipeline({ asr_config: 'x' }),
  'asr-provider-missing': asr({ provider: gone, language: 'en' }),
  'asr-provider-not-string': asr({ provider: 1 }),
  'asr-language-not-string': asr({ language: 1 }),
  'asr-timeout-not-string': asr({ eou_timeout_ms: 500 }),
  'asr-timeout-not-numeric': asr({ eou_timeout_ms: 'soon' }),
  'llm-not-object': pipeline({ llm_config: 'x' }),
  'llm-backend-not-string': llm({ llm_backend: 1 }),
  'llm-backend-unknown': llm({ llm_backend: 'other' }),
  'llm-base-url-not-string': llm({ llm_base_url: 1 }),
  'llm-model-not-string': llm({ llm_model: 1 }),
  'llm-key-not-string': llm({ llm_api_key: 1 }),
  'llm-temperature-not-number': llm({ llm_temperature: '1' }),
  'llm-tokens-not-integer': llm({ llm_max_output_tokens: '5' }),
  'llm-extra-not-string': llm({ llm_extra_payload: { a: 1 } }),
  'llm-extra-not-json-object': llm({ llm_extra_payload: '[1]' }),
  'motion-enhanced-not-object': pipeline({ motion_enhanced: 'x' }),
  'motion-enhanced-prompt-not-string': pipeline({ motion_enhanced: { prompt: 1 } }),
  'motion-planner-not-object': pipeline({ motion_planner: 'x' }),
  'motion-planner-prompt-not-string': pipeline({ motion_planner: { prompt: 1 } }),
}

const { avatars, createSession, createAssets, conversation, pipeline: pipelineValidations } = validationTables()
const ids = [avatars, createSession, createAssets, conversation, pipelineValidations].flatMap((table) =>
  Object.keys(table),
)

test('there is an example for every rule of Create Session', () => {
  expect(ids.filter((id) => !(id in FAULTS))).toEqual([])
})

test.each(Object.entries(FAULTS))('%s is refused for that reason', async (id, body) => {
  const reply = await raw.create(body)
  expect([reply.code, reply.body['message']]).toEqual([30004, expect.stringContaining(`(${id})`)])
})

const ACCEPTED: Record<string, JsonObject> = {
  'the lightweight model': videoBody({ model: 'svc-a1-stream-lite' }),
  'the bounds of speed': voice({ speed: 0.7 }),
  'the other bound of speed': voice({ speed: 1.2 }),
  'the bounds of temperature': talk({ response_defaults: { temperature: 0 } }),
  'the other bound of temperature': talk({ response_defaults: { temperature: 2 } }),
  'the shortest duration': videoBody({ max_duration_seconds: 4 }),
  'a disabled timeout': closing({ disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 }),
  'the shortest timeouts': closing({ disconnected_timeout_seconds: 10, interaction_idle_timeout_seconds: 30 }),
  'the longest timeouts': closing({ disconnected_timeout_seconds: 3600, interaction_idle_timeout_seconds: 3600 }),
  'timeouts as long as the session': closing({ disconnected_timeout_seconds: 60 }, { max_duration_seconds: 60 }),
  'an explicit avatar among several': state({ active_avatar_id: 'guide' }, { avatars: [AVATAR, second] }),
  'a text avatar without a picture': textBody(),
  'a whole pipeline': pipeline({
    tag_audio_enabled: true,
    asr_config: { provider: 'p', eou_timeout_ms: '700' },
    llm_config: { llm_backend: 'openai', llm_extra_payload: '{"top_p":1}' },
    motion_enhanced: { prompt: 'nod' },
    motion_planner: { prompt: 'listen' },
  }),
}

test.each(Object.entries(ACCEPTED))('%s is accepted', async (_name, body) => {
  expect((await raw.create(body)).body).toMatchObject({ code: 0 })
})
