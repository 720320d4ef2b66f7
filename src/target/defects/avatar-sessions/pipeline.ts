import type { UsedVoiceInput } from '#target/behaviour/rules/voices'
import { demand, waive } from '#target/behaviour/rules/waive'
import type { CreateInput } from '#target/behaviour/rules/create-session'
import { isWire, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { refuseCreate, sent } from '../tools.ts'

const P = 'pipeline_config'
const llm = (input: CreateInput, key: string): unknown => sent(input, P, 'llm_config', key)
const has = (input: CreateInput, ...path: string[]): boolean => sent(input, P, ...path) !== undefined

/** 2.6: what a pipeline may and must hold. */
export const pipelineDefects = defectsOf('avatar-sessions', {
  'pipeline.tts-config-missing-rejected': [
    'A pipeline needs no TTS.',
    ({ rules }) => waive(rules.pipeline, 'tts-missing'),
  ],
  'pipeline.tts-voice-id-missing-rejected': [
    'TTS needs no voice.',
    ({ rules }) => waive(rules.pipeline, 'tts-voice-missing'),
  ],
  'pipeline.tts-voice-id-empty-rejected': [
    'An empty voice is accepted.',
    ({ rules }) => waive(rules.pipeline, 'tts-voice-empty'),
  ],
  'pipeline.tts-cloned-voice-accepted': [
    'A cloned voice needs its provider named.',
    (b) =>
      refuseCreate(
        b,
        (input) =>
          String(sent(input, P, 'tts_config', 'tts_voice_id')).startsWith('voice_') &&
          !has(input, 'tts_config', 'tts_provider'),
      ),
  ],
  'pipeline.tts-cloned-voice-accepted~unknown': [
    'Sessions know no cloned voices.',
    ({ rules }) => {
      const broken = ({ known }: UsedVoiceInput): boolean => known
      demand(rules.usedVoices, 'refused-by-defect', { section: '2.6', param: 'tts_voice_id', broken })
    },
  ],
  'pipeline.tts-endpoint-empty-accepted': [
    'An empty endpoint is refused.',
    (b) => refuseCreate(b, (input) => sent(input, P, 'tts_config', 'tts_endpoint') === ''),
  ],
  'pipeline.tts-api-key-empty-accepted': [
    'An empty provider key is refused.',
    (b) => refuseCreate(b, (input) => sent(input, P, 'tts_config', 'tts_api_key') === ''),
  ],
  'pipeline.tts-payload-accepted': [
    'Provider extensions are refused.',
    (b) => refuseCreate(b, (input) => has(input, 'tts_config', 'payload'), '20004'),
  ],
  'pipeline.tag-audio-boolean-accepted': [
    'A switch for tag audio is refused.',
    (b) => refuseCreate(b, (input) => has(input, 'tag_audio_enabled')),
  ],
  'pipeline.tag-audio-string-rejected': [
    'A string switches tag audio.',
    ({ rules }) => waive(rules.pipeline, 'tag-audio-not-boolean'),
  ],
  'pipeline.tag-audio-number-rejected': [
    'A number switches tag audio.',
    ({ rules }) => {
      const { broken } = rules.pipeline['tag-audio-not-boolean']
      rules.pipeline['tag-audio-not-boolean'].broken = (input) =>
        broken(input) && !(isWire(input.given) && typeof input.given['tag_audio_enabled'] === 'number')
    },
  ],
  'pipeline.asr-provider-missing-rejected': [
    'An empty ASR means the default provider.',
    ({ rules }) => {
      const rule = rules.pipeline['asr-provider-missing']
      const { broken } = rule
      rule.broken = (input) => broken(input) && Object.keys(wireAt(input.given, 'asr_config')).length > 0
    },
  ],
  'pipeline.asr-language-only-rejected': [
    'A language alone means the default provider.',
    ({ rules }) => {
      const rule = rules.pipeline['asr-provider-missing']
      const { broken } = rule
      rule.broken = (input) => broken(input) && wireAt(input.given, 'asr_config')['language'] === undefined
    },
  ],
  'pipeline.llm-backend-openai-accepted': [
    '`openai` is no known backend.',
    (b) => refuseCreate(b, (input) => llm(input, 'llm_backend') === 'openai'),
  ],
  'pipeline.llm-backend-other-rejected': [
    'Any backend is accepted.',
    ({ rules }) => waive(rules.pipeline, 'llm-backend-unknown'),
  ],
  'pipeline.llm-temperature-accepted': [
    'A temperature must be a string.',
    (b) => refuseCreate(b, (input) => typeof llm(input, 'llm_temperature') === 'number'),
  ],
  'pipeline.llm-max-output-tokens-accepted': [
    'A token maximum must be a string.',
    (b) => refuseCreate(b, (input) => typeof llm(input, 'llm_max_output_tokens') === 'number'),
  ],
  'pipeline.llm-extra-payload-string-accepted': [
    'An extra payload must not be a string.',
    (b) => refuseCreate(b, (input) => typeof llm(input, 'llm_extra_payload') === 'string', '20004'),
  ],
  'pipeline.llm-extra-payload-object-rejected': [
    'An extra payload may be an object.',
    ({ rules }) => waive(rules.pipeline, 'llm-extra-not-string'),
  ],
  'pipeline.motion-enhanced-accepted': [
    'Enhanced motion is refused.',
    (b) => refuseCreate(b, (input) => has(input, 'motion_enhanced')),
  ],
  'pipeline.motion-planner-accepted': [
    'The key of the planner is `idle_motion`.',
    (b) => refuseCreate(b, (input) => has(input, 'motion_planner')),
  ],
})
