import { type JsonObject, objectAt } from '#target/wire'
import {
  empty,
  missing,
  notBoolean,
  notInteger,
  notJsonObject,
  notNumber,
  notObject,
  notOneOf,
  notString,
} from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

/** The `pipeline_config` object of a create. */
export interface PipelineInput extends ValidationInput {
  given: unknown
}

const self = (input: PipelineInput): JsonObject => objectAt({ pipeline: input.given }, 'pipeline')
const supplied = (input: PipelineInput): boolean => input.given !== undefined && !notObject(input.given)
const at = (path: string, broken: (value: JsonObject) => boolean) =>
  validation('2.6', `pipeline_config.${path}`, (input: PipelineInput) => supplied(input) && broken(self(input)))
/** A rule about a part that only counts when that part was supplied. */
const inside = (part: string, path: string, broken: (value: JsonObject) => boolean) =>
  at(`${part}.${path}`, (one) => one[part] !== undefined && !notObject(one[part]) && broken(objectAt(one, part)))
const string = (part: string, path: string) => inside(part, path, (one) => notString(one[path]))

/** 2.6 Pipeline configuration. */
export const pipelineValidations = () => ({
  'pipeline-not-object': validation('2.6', 'pipeline_config', (input: PipelineInput) => notObject(input.given)),
  'tag-audio-not-boolean': at('tag_audio_enabled', (one) => notBoolean(one['tag_audio_enabled'])),
  'tts-missing': at('tts_config', (one) => missing(one['tts_config'])),
  'tts-not-object': at('tts_config', (one) => notObject(one['tts_config'])),
  'tts-voice-missing': inside('tts_config', 'tts_voice_id', (one) => missing(one['tts_voice_id'])),
  'tts-voice-not-string': string('tts_config', 'tts_voice_id'),
  'tts-voice-empty': inside('tts_config', 'tts_voice_id', (one) => empty(one['tts_voice_id'])),
  'tts-provider-not-string': string('tts_config', 'tts_provider'),
  'tts-model-not-string': string('tts_config', 'tts_model_id'),
  'tts-endpoint-not-string': string('tts_config', 'tts_endpoint'),
  'tts-key-not-string': string('tts_config', 'tts_api_key'),
  'tts-payload-not-object': inside('tts_config', 'payload', (one) => notObject(one['payload'])),
  'asr-not-object': at('asr_config', (one) => notObject(one['asr_config'])),
  'asr-provider-missing': inside('asr_config', 'provider', (one) => missing(one['provider']) || empty(one['provider'])),
  'asr-provider-not-string': string('asr_config', 'provider'),
  'asr-language-not-string': string('asr_config', 'language'),
  'asr-timeout-not-string': string('asr_config', 'eou_timeout_ms'),
  'asr-timeout-not-numeric': inside(
    'asr_config',
    'eou_timeout_ms',
    (one) => typeof one['eou_timeout_ms'] === 'string' && !/^\d+$/u.test(one['eou_timeout_ms']),
  ),
  'llm-not-object': at('llm_config', (one) => notObject(one['llm_config'])),
  'llm-backend-not-string': string('llm_config', 'llm_backend'),
  'llm-backend-unknown': inside('llm_config', 'llm_backend', (one) => notOneOf(one['llm_backend'], ['openai'])),
  'llm-base-url-not-string': string('llm_config', 'llm_base_url'),
  'llm-model-not-string': string('llm_config', 'llm_model'),
  'llm-key-not-string': string('llm_config', 'llm_api_key'),
  'llm-temperature-not-number': inside('llm_config', 'llm_temperature', (one) => notNumber(one['llm_temperature'])),
  'llm-tokens-not-integer': inside('llm_config', 'llm_max_output_tokens', (one) =>
    notInteger(one['llm_max_output_tokens']),
  ),
  'llm-extra-not-string': string('llm_config', 'llm_extra_payload'),
  'llm-extra-not-json-object': inside('llm_config', 'llm_extra_payload', (one) =>
    notJsonObject(one['llm_extra_payload']),
  ),
  'motion-enhanced-not-object': at('motion_enhanced', (one) => notObject(one['motion_enhanced'])),
  'motion-enhanced-prompt-not-string': string('motion_enhanced', 'prompt'),
  'motion-planner-not-object': at('motion_planner', (one) => notObject(one['motion_planner'])),
  'motion-planner-prompt-not-string': string('motion_planner', 'prompt'),
})
