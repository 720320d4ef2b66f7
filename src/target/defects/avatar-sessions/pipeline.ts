import type { CreateInput } from '#target/behaviour/validations/create-session'
import { validation } from '#target/behaviour/validations/input-validation'
import { demand } from '#target/behaviour/validations/waive'
import { add, around, drop, except } from '#target/overrides/operators'
import { isWire, textOf, objectAt } from '#target/wire'
import { unchecked } from '../tools/modes.ts'
import { refuseCreate, sent } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const P = 'pipeline_config'

const llm = (input: CreateInput, key: string): unknown => sent(input, P, 'llm_config', key)

const has = (input: CreateInput, ...path: string[]): boolean => sent(input, P, ...path) !== undefined

export const pipelineDefects = defectsOf('avatar-sessions.pipeline', {
  'tts-config-missing-rejected: A pipeline needs no TTS.': drop('validations.pipeline', 'tts-missing'),
  'tts-config-missing-rejected~in-video: In video sessions a pipeline needs no tts_config.': unchecked(
    'video_avatar',
    ({ pipeline }) => pipeline['tts-missing'],
  ),
  'tts-config-missing-rejected~llm: A pipeline_config with llm_config needs no tts_config.': except(
    'validations.pipeline',
    'tts-missing',
    (input) => isWire(input.given) && isWire(input.given['llm_config']),
  ),
  'tts-config-missing-rejected~asr: A pipeline_config with asr_config needs no tts_config.': except(
    'validations.pipeline',
    'tts-missing',
    (input) => isWire(input.given) && isWire(input.given['asr_config']),
  ),
  'tts-config-missing-rejected~empty: An empty pipeline_config is taken.': except(
    'validations.pipeline',
    'tts-missing',
    (input) => isWire(input.given) && Object.keys(input.given).length === 0,
  ),
  'tts-voice-id-missing-rejected: TTS needs no voice.': drop('validations.pipeline', 'tts-voice-missing'),
  'tts-voice-id-missing-rejected~beside-payload: Beside a payload of the provider no tts_voice_id is asked for.':
    except(
      'validations.pipeline',
      'tts-voice-missing',
      (input) => objectAt(input.given, 'tts_config')['payload'] !== undefined,
    ),
  'tts-voice-id-missing-rejected~beside-provider: No tts_voice_id is asked for beside provider and model.': around(
    'validations.pipeline.tts-voice-missing.broken',
    (broken) => (input) => {
      const tts = objectAt(input.given, 'tts_config')
      return broken(input) && !(tts['tts_provider'] !== undefined && tts['tts_model_id'] !== undefined)
    },
  ),
  'tts-voice-id-empty-rejected: An empty voice is accepted.': drop('validations.pipeline', 'tts-voice-empty'),
  'tts-cloned-voice-accepted: A cloned voice needs its provider named.': refuseCreate(
    (input) =>
      String(sent(input, P, 'tts_config', 'tts_voice_id')).startsWith('voice_') &&
      !has(input, 'tts_config', 'tts_provider'),
  ),
  'tts-cloned-voice-accepted~unknown: Sessions know no cloned voices.': add(
    'validations.usedVoices',
    'refused-by-defect',
    validation('2.6', 'tts_voice_id', ({ known }) => known),
  ),
  'tts-cloned-voice-accepted~character: A character with a cloned voice cannot be started.': ({
    validations,
    voices,
  }) => {
    const table: Record<string, (typeof validations.start.pipeline)['tts-missing']> = validations.start.pipeline
    demand(
      table,
      'voice-cloned',
      validation('4.3', 'pipeline_config.tts_config.tts_voice_id', ({ given }) => {
        const id = textOf(objectAt(given, 'tts_config')['tts_voice_id']) ?? ''
        return id.startsWith('voice_') && !voices.public.some((one) => one.id === id)
      }),
    )
  },
  'tts-endpoint-empty-accepted: An empty endpoint is refused.': refuseCreate(
    (input) => sent(input, P, 'tts_config', 'tts_endpoint') === '',
  ),
  'tts-api-key-empty-accepted: An empty provider key is refused.': refuseCreate(
    (input) => sent(input, P, 'tts_config', 'tts_api_key') === '',
  ),
  'tts-payload-accepted: Provider extensions are refused.': refuseCreate(
    (input) => has(input, 'tts_config', 'payload'),
    '20004',
  ),
  'tag-audio-boolean-accepted: A switch for tag audio is refused.': refuseCreate((input) =>
    has(input, 'tag_audio_enabled'),
  ),
  'tag-audio-string-rejected: A string switches tag audio.': drop('validations.pipeline', 'tag-audio-not-boolean'),
  'tag-audio-number-rejected: A number switches tag audio.': except(
    'validations.pipeline',
    'tag-audio-not-boolean',
    (input) => isWire(input.given) && typeof input.given['tag_audio_enabled'] === 'number',
  ),
  'asr-provider-missing-rejected: An empty ASR means the default provider.': except(
    'validations.pipeline',
    'asr-provider-missing',
    (input) => !(Object.keys(objectAt(input.given, 'asr_config')).length > 0),
  ),
  'asr-language-only-rejected: A language alone means the default provider.': except(
    'validations.pipeline',
    'asr-provider-missing',
    (input) => objectAt(input.given, 'asr_config')['language'] !== undefined,
  ),
  'llm-backend-openai-accepted: `openai` is no known backend.': refuseCreate(
    (input) => llm(input, 'llm_backend') === 'openai',
  ),
  'llm-backend-other-rejected: Any backend is accepted.': drop('validations.pipeline', 'llm-backend-unknown'),
  'llm-backend-other-rejected~own-url: Beside llm_base_url any backend is taken.': except(
    'validations.pipeline',
    'llm-backend-unknown',
    (input) => objectAt(input.given, 'llm_config')['llm_base_url'] !== undefined,
  ),
  'llm-temperature-accepted: A temperature must be a string.': refuseCreate(
    (input) => typeof llm(input, 'llm_temperature') === 'number',
  ),
  'llm-max-output-tokens-accepted: A token maximum must be a string.': refuseCreate(
    (input) => typeof llm(input, 'llm_max_output_tokens') === 'number',
  ),
  'llm-extra-payload-string-accepted: An extra payload must not be a string.': refuseCreate(
    (input) => typeof llm(input, 'llm_extra_payload') === 'string',
    '20004',
  ),
  'llm-extra-payload-object-rejected: An extra payload may be an object.': drop(
    'validations.pipeline',
    'llm-extra-not-string',
  ),
  'motion-enhanced-accepted: Enhanced motion is refused.': refuseCreate((input) => has(input, 'motion_enhanced')),
  'motion-planner-accepted: The key of the planner is `idle_motion`.': refuseCreate((input) =>
    has(input, 'motion_planner'),
  ),
  'asr-provider-missing-rejected~in-video: In video sessions recognition needs no provider.': unchecked(
    'video_avatar',
    ({ pipeline }) => pipeline['asr-provider-missing'],
  ),
  'tts-voice-id-empty-rejected~in-video: In video sessions a voice id may be empty.': unchecked(
    'video_avatar',
    ({ pipeline }) => pipeline['tts-voice-empty'],
  ),
})
