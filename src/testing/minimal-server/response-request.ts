import { item, tokens, tool, type GivenItem } from './conversation-shape.ts'
import { type Check, Fault, https, integer, list, nonempty, object, oneOf, shape, str, variant } from './reading.ts'

export type Policy = 'interrupt' | 'reject_if_busy' | 'after_current_response'

const reference = variant({ item_reference: shape({ id: nonempty }, {}) })

const inputItem: Check<GivenItem | ReturnType<typeof reference>> = (value, at) =>
  object(value, at).type === 'item_reference' ? reference(value, at) : item(value, at)

const outputLimit: Check<number | 'inf'> = (value, at) => (value === 'inf' ? value : tokens(value, at))

const vocal = variant({
  speech: shape({ text: nonempty }, {}),
  speech_asset: shape({ speech_text_asset_id: nonempty }, {}),
  audio: shape({ mime_type: oneOf('audio/wav', 'audio/mpeg') }, { url: https, audio: nonempty }),
  audio_asset: shape({ audio_asset_id: nonempty }, {}),
})

const visualFields = shape(
  {},
  { prompt: nonempty, visual_prompt_asset_id: nonempty, duration_ms: integer(1, Number.MAX_SAFE_INTEGER) },
)

const visual: Check<unknown> = (value, at) => {
  const given = visualFields(value, at)
  const named = [given.prompt, given.visual_prompt_asset_id].filter((each) => each !== undefined)
  if (named.length !== 1) throw new Fault(at, 'needs exactly one of prompt and visual_prompt_asset_id')
  return value
}

const fields = shape(
  {},
  {
    conversation: oneOf('auto', 'none'),
    scheduling_policy: oneOf('interrupt', 'reject_if_busy', 'after_current_response'),
    input: list(inputItem),
    instructions: str,
    max_output_tokens: outputLimit,
    tools: list(tool),
    script: shape({}, { vocal, visual }),
  },
)

export type ResponseRequest = ReturnType<typeof fields>

/** 4.4: these are "invalid with `script`". */
const notWithScript = ['input', 'instructions', 'tools', 'max_output_tokens'] as const

/** Reads `response.create` (4.4) for a session in `text_chat`, where nothing but text can be rendered. */
export function readResponseRequest(value: unknown): ResponseRequest {
  const given = fields(value ?? {}, 'response')
  if (given.script === undefined) return given
  const beside = notWithScript.find((name) => given[name] !== undefined)
  if (beside !== undefined) throw new Fault(`response.${beside}`, 'is invalid with script')
  const type = given.script.vocal?.type
  if (type !== 'speech' && type !== 'speech_asset')
    throw new Fault('response.script', 'holds nothing that text can render')
  return given
}
