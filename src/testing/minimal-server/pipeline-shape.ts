import { bool, type Check, Fault, integer, nonempty, number, object, oneOf, shape, str } from './reading.ts'

const numeric: Check<string> = (value, at) => {
  const given = str(value, at)
  if (!/^\d+$/.test(given)) throw new Fault(at, 'must be a numeric string')
  return given
}

/** 2.6: "JSON-encoded object string; a nested object is not accepted". */
const encodedObject: Check<string> = (value, at) => {
  const text = str(value, at)
  try {
    object(JSON.parse(text), at)
  } catch {
    throw new Fault(at, 'must be a JSON-encoded object')
  }
  return text
}

const motion = shape({}, { prompt: str })

/** The pipeline configuration (2.6). */
export const pipelineConfig = shape(
  {
    tts_config: shape(
      { tts_voice_id: nonempty },
      { tts_provider: str, tts_model_id: str, tts_endpoint: str, tts_api_key: str, payload: object },
    ),
  },
  {
    tag_audio_enabled: bool,
    asr_config: shape({ provider: nonempty }, { language: str, eou_timeout_ms: numeric }),
    llm_config: shape(
      {},
      {
        llm_backend: oneOf('openai'),
        llm_base_url: str,
        llm_model: str,
        llm_api_key: str,
        llm_temperature: number(-Infinity, Infinity),
        llm_max_output_tokens: integer(0, Number.MAX_SAFE_INTEGER),
        llm_extra_payload: encodedObject,
      },
    ),
    motion_enhanced: motion,
    motion_planner: motion,
  },
)
