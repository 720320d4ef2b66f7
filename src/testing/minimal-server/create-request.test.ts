import { expect, test } from 'vitest'
import { readCreateRequest } from './create-request.ts'
import { Fault } from './reading.ts'

const good = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
const two = [{ avatar_id: 'ada' }, { avatar_id: 'bob' }]
const voice = { provider: 'p', provider_voice_id: 'v', model: 'm' }
const image = { source_image_id: 'i', media_type: 'image/png' }

test('defaults are effective: no region, the only avatar, the platform timeout', () => {
  expect(readCreateRequest(good)).toMatchObject({
    region: '',
    active_avatar_id: 'ada',
    auto_close: { disconnected_timeout_seconds: 90, interaction_idle_timeout_seconds: 0 },
  })
})

test.each([
  ['a lite model', { model: 'svc-a1-stream-lite' }],
  ['an active avatar among several', { avatars: two, session: { mode: 'text_chat', active_avatar_id: 'bob' } }],
  ['output in text_chat, whatever it holds', { output: 7, delivery: { media: { transport: 'rtc_z' } } }],
  ['the shortest duration', { max_duration_seconds: 4 }],
  [
    'the lower bounds of auto_close',
    { auto_close: { disconnected_timeout_seconds: 10, interaction_idle_timeout_seconds: 30 } },
  ],
  ['zeros in auto_close', { auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 } }],
  [
    'the upper bound of auto_close',
    {
      max_duration_seconds: 3600,
      auto_close: { disconnected_timeout_seconds: 3600, interaction_idle_timeout_seconds: 3600 },
    },
  ],
  [
    'speeds at both bounds',
    {
      avatars: [
        { avatar_id: 'a', voice: { ...voice, speed: 0.7 } },
        { avatar_id: 'b', voice: { ...voice, speed: 1.2 } },
      ],
      session: { mode: 'text_chat', active_avatar_id: 'a' },
    },
  ],
  ['temperatures at both bounds', { conversation: { response_defaults: { temperature: 2 } } }],
  [
    'a full pipeline',
    {
      pipeline_config: {
        tag_audio_enabled: true,
        tts_config: { tts_voice_id: 'v' },
        asr_config: { provider: 'x', eou_timeout_ms: '300' },
        llm_config: { llm_backend: 'openai', llm_extra_payload: '{}' },
      },
    },
  ],
  ['an unknown field', { novelty: 1 }],
])('%s is accepted', (_, changes) => {
  expect(readCreateRequest({ ...good, ...changes }).model).toMatch(/^svc-a1-stream/)
})

test.each([
  ['no model', { model: undefined }],
  ['an unknown model', { model: 'svc-w1-stream' }],
  ['no avatars', { avatars: [] }],
  ['a duplicate avatar id', { avatars: [{ avatar_id: 'ada' }, { avatar_id: 'ada' }] }],
  ['an empty avatar id', { avatars: [{ avatar_id: '' }] }],
  ['several avatars and none active', { avatars: two }],
  ['an active avatar that is none', { session: { mode: 'text_chat', active_avatar_id: 'eve' } }],
  ['video mode', { session: { mode: 'video_avatar' } }],
  ['the default mode, video', { session: {} }],
  ['an unknown mode', { session: { mode: 'radio' } }],
  ['half a voice', { avatars: [{ avatar_id: 'ada', voice: { provider: 'p', model: 'm' } }] }],
  ['a slow voice', { avatars: [{ avatar_id: 'ada', voice: { ...voice, speed: 0.69 } }] }],
  ['a fast voice', { avatars: [{ avatar_id: 'ada', voice: { ...voice, speed: 1.21 } }] }],
  [
    'a source image without media_type',
    { avatars: [{ avatar_id: 'ada', visual: { source_images: [{ source_image_id: 'i' }] } }] },
  ],
  [
    'a source image that is audio',
    { avatars: [{ avatar_id: 'ada', visual: { source_images: [{ ...image, media_type: 'audio/wav' }] } }] },
  ],
  ['a duplicate source image', { avatars: [{ avatar_id: 'ada', visual: { source_images: [image, image] } }] }],
  ['a pipeline without TTS', { pipeline_config: {} }],
  ['an empty voice id', { pipeline_config: { tts_config: { tts_voice_id: '' } } }],
  [
    'tag_audio_enabled as a string',
    { pipeline_config: { tts_config: { tts_voice_id: 'v' }, tag_audio_enabled: 'true' } },
  ],
  [
    'asr_config without provider',
    { pipeline_config: { tts_config: { tts_voice_id: 'v' }, asr_config: { language: 'en' } } },
  ],
  ['another llm backend', { pipeline_config: { tts_config: { tts_voice_id: 'v' }, llm_config: { llm_backend: 'x' } } }],
  [
    'a nested llm_extra_payload',
    { pipeline_config: { tts_config: { tts_voice_id: 'v' }, llm_config: { llm_extra_payload: {} } } },
  ],
  ['an asset over http', { assets: { audio: [{ asset_id: 'a', url: 'http://media.example/a.wav' }] } }],
  [
    'an asset id taken twice',
    { assets: { speech_text: [{ asset_id: 'a', text: 'x' }], visual_prompts: [{ asset_id: 'a', prompt: 'y' }] } },
  ],
  ['a visual prompt named text', { assets: { visual_prompts: [{ asset_id: 'a', text: 'y' }] } }],
  ['a temperature above 2', { conversation: { response_defaults: { temperature: 2.1 } } }],
  ['a tool of kind mcp', { conversation: { tools: [{ type: 'mcp', name: 'x' }] } }],
  ['a tool without a name', { conversation: { tools: [{ type: 'function' }] } }],
  ['a duration of 3', { max_duration_seconds: 3 }],
  ['a duration of 0', { max_duration_seconds: 0 }],
  ['a duration as a string', { max_duration_seconds: '60' }],
  ['a duration above the maximum', { max_duration_seconds: 3601 }],
  ['a disconnected timeout of 9', { auto_close: { disconnected_timeout_seconds: 9 } }],
  ['a disconnected timeout of 3601', { auto_close: { disconnected_timeout_seconds: 3601 } }],
  ['an idle timeout of 29', { auto_close: { interaction_idle_timeout_seconds: 29 } }],
  ['an idle timeout of 3601', { auto_close: { interaction_idle_timeout_seconds: 3601 } }],
  ['a negative timeout', { auto_close: { interaction_idle_timeout_seconds: -1 } }],
  ['a timeout above the duration', { max_duration_seconds: 20, auto_close: { disconnected_timeout_seconds: 21 } }],
])('%s is refused', (_, changes) => {
  expect(() => readCreateRequest({ ...good, ...changes })).toThrow(Fault)
})

test('a session shorter than the platform timeout has none', () => {
  expect(readCreateRequest({ ...good, max_duration_seconds: 4 }).auto_close.disconnected_timeout_seconds).toBe(0)
})
