import type { Profile } from '#spec/profile'
import type { CreateRow } from './rows.ts'
import type { Json } from '#trace/json'
import type { CreateOption } from './bundle.ts'
import type { Faulty } from './refusal.ts'

const row = (claim: string): CreateRow => `avatar-sessions.pipeline.${claim}` as CreateRow

const option = (id: string, claim: string, pointer: string, value: Json): CreateOption => ({
  id,
  rows: [row(claim)],
  change: { set: { [`/pipeline_config/${pointer}`]: value } },
})

/** What a pipeline configuration may hold beside its voice (2.6). */
export function pipelineOptions(profile: Profile): readonly CreateOption[] {
  const motion = [
    option('motion-enhanced', 'motion-enhanced-accepted', 'motion_enhanced/prompt', 'Gesture with both hands.'),
    option('motion-planner', 'motion-planner-accepted', 'motion_planner/prompt', 'Nod now and then.'),
  ]
  return [...speechOptions, ...modelOptions, ...(profile.abilities?.video === false ? [] : motion)]
}

const speechOptions: readonly CreateOption[] = [
  option('tts-endpoint', 'tts-endpoint-empty-accepted', 'tts_config/tts_endpoint', ''),
  option('tts-api-key', 'tts-api-key-empty-accepted', 'tts_config/tts_api_key', ''),
  // Extensions are the provider's.
  { ...option('tts-payload', 'tts-payload-accepted', 'tts_config/payload', { pitch: 1 }), optional: true },
  option('tag-audio', 'tag-audio-boolean-accepted', 'tag_audio_enabled', true),
  {
    // A voice of another provider may be refused beside these.
    id: 'tts-provider',
    rows: [],
    change: {
      set: {
        '/pipeline_config/tts_config/tts_provider': 'builtin-audio-3.0-tts-flash_ws',
        '/pipeline_config/tts_config/tts_model_id': 'builtin-audio-3.0-tts-flash',
      },
    },
    mayBeRefused: true,
  },
]

const modelOptions: readonly CreateOption[] = [
  option('llm-backend', 'llm-backend-openai-accepted', 'llm_config/llm_backend', 'openai'),
  option('llm-temperature', 'llm-temperature-accepted', 'llm_config/llm_temperature', 0.5),
  option('llm-tokens', 'llm-max-output-tokens-accepted', 'llm_config/llm_max_output_tokens', 200),
  {
    ...option('llm-extra', 'llm-extra-payload-string-accepted', 'llm_config/llm_extra_payload', '{"seed":7}'),
    optional: true,
  },
  {
    // Nobody answers there, which a service may find out.
    id: 'llm-endpoint',
    rows: [],
    change: {
      set: {
        '/pipeline_config/llm_config/llm_base_url': 'https://example.com/v1',
        '/pipeline_config/llm_config/llm_model': 'parrot-1',
      },
    },
    mayBeRefused: true,
  },
]

const refusal = (claim: string, pointer: string, value: Json, on?: string): Faulty => ({
  rows: [row(claim)],
  ...(on === undefined ? {} : { on }),
  change: { set: { [`/pipeline_config${pointer}`]: value } },
})

/** Beside a option that makes it look as if enough were there. */
const lacking = (claim: string, pointer: string, on: string): Faulty => ({
  rows: [row(claim)],
  on,
  change: { drop: [`/pipeline_config/${pointer}`] },
})

/** Faults of a pipeline configuration whose voice is usable. */
export const pipelineRefusals: readonly Faulty[] = [
  lacking('tts-config-missing-rejected', 'tts_config', 'tag-audio'),
  refusal('tts-config-missing-rejected', '', {}),
  {
    // Beside a model and recognition: each alone may make it look as if a pipeline were there. A provider that is not
    // known is refused as well.
    rows: [row('tts-config-missing-rejected')],
    on: 'llm-backend',
    change: {
      set: { '/pipeline_config/asr_config': { provider: 'multilingual', language: 'en-US' } },
      drop: ['/pipeline_config/tts_config'],
    },
  },
  lacking('tts-voice-id-missing-rejected', 'tts_config/tts_voice_id', 'tts-payload'),
  lacking('tts-voice-id-missing-rejected', 'tts_config/tts_voice_id', 'tts-provider'),
  refusal('tts-voice-id-empty-rejected', '/tts_config/tts_voice_id', '', 'tag-audio'),
  refusal('tag-audio-string-rejected', '/tag_audio_enabled', 'true'),
  refusal('tag-audio-number-rejected', '/tag_audio_enabled', 1),
  refusal('asr-provider-missing-rejected', '/asr_config', {}, 'tag-audio'),
  refusal('asr-language-only-rejected', '/asr_config', { language: 'en-US' }),
  {
    rows: [row('llm-backend-other-rejected')],
    on: 'llm-backend',
    change: { set: { '/pipeline_config/llm_config/llm_backend': 'abacus' } },
  },
  {
    rows: [row('llm-backend-other-rejected')],
    on: 'llm-endpoint',
    change: { set: { '/pipeline_config/llm_config/llm_backend': 'abacus' } },
  },
  {
    rows: [row('llm-extra-payload-object-rejected')],
    on: 'llm-extra',
    change: { set: { '/pipeline_config/llm_config/llm_extra_payload': { seed: 7 } } },
  },
]
