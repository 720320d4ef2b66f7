import {
  bool,
  type Check,
  Fault,
  integer,
  list,
  nonempty,
  number,
  object,
  oneOf,
  shape,
  str,
  variant,
} from './reading.ts'

/** A function tool; no other kind exists in v1. */
export const tool = shape({ type: oneOf('function'), name: nonempty }, { description: str, parameters: object })

export const tokens = integer(1, Number.MAX_SAFE_INTEGER)

/** Conversation defaults (2.5). */
export const conversationDefaults = shape(
  {},
  {
    instructions: str,
    tools: list(tool),
    response_defaults: shape({}, { temperature: number(0, 2), max_output_tokens: tokens }),
    turn_detection: shape(
      {},
      { type: oneOf('manual', 'server_vad'), silence_duration_ms: integer(0, Number.MAX_SAFE_INTEGER) },
    ),
    input_audio_transcription: shape({}, { enabled: bool, language: str }),
  },
)

export type ConversationDefaults = ReturnType<typeof conversationDefaults>

const base64: Check<string> = (value, at) => {
  const given = str(value, at)
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(given)) throw new Fault(at, 'must be base64')
  return given
}

const part = variant({
  input_text: shape({ text: str }, {}),
  text: shape({ text: str }, {}),
  input_audio: shape({ audio: base64 }, { transcript: str }),
  input_image: shape({ image_url: nonempty }, { detail: oneOf('auto', 'low', 'high') }),
})

const common = { id: nonempty, status: oneOf('completed', 'incomplete', 'in_progress') }

/** A conversation item (2.9) as a client may send it. */
export const item = variant({
  message: shape({ role: oneOf('system', 'user', 'assistant'), content: list(part) }, common),
  function_call: shape({ name: nonempty, arguments: str }, { ...common, call_id: str }),
  function_call_output: shape({ call_id: nonempty, output: str }, common),
})

export type GivenItem = ReturnType<typeof item>
export type ContentPart = ReturnType<typeof part>
