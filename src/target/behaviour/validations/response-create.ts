import type { Session } from '#target/sessions/session'
import { type JsonObject, objectAt, objectsAt } from '#target/wire'
import { AUDIO_TYPES } from './assets.ts'
import {
  empty,
  missing,
  notArray,
  notBase64,
  notHttps,
  notInteger,
  notObject,
  notObjects,
  notOneOf,
  notString,
} from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

export interface ResponseInput extends ValidationInput {
  event: JsonObject
  response: JsonObject
  session: Session
}

type Broken = (value: unknown, input: ResponseInput) => boolean

const script = (input: ResponseInput): JsonObject => objectAt(input.response, 'script')
const vocal = (input: ResponseInput): JsonObject => objectAt(script(input), 'vocal')
const visual = (input: ResponseInput): JsonObject => objectAt(script(input), 'visual')
const scripted = (input: ResponseInput): boolean => input.response['script'] !== undefined
const hasVisual = (input: ResponseInput): boolean =>
  script(input)['visual'] !== undefined && !notObject(script(input)['visual'])

const at = (param: string, broken: Broken) =>
  validation('4.4', `response.${param}`, (input: ResponseInput) => broken(input.response[param], input))
const inScript = (param: string, broken: Broken) =>
  validation('4.4', `response.script.${param}`, (input: ResponseInput) => broken(script(input)[param], input))
const inVocal = (types: string[], param: string, broken: Broken) =>
  validation('4.4', `response.script.vocal.${param}`, (input: ResponseInput) =>
    types.includes(String(vocal(input)['type'])) ? broken(vocal(input)[param], input) : false,
  )
const inVisual = (param: string, broken: Broken) =>
  validation('4.4', `response.script.visual.${param}`, (input: ResponseInput) =>
    hasVisual(input) ? broken(visual(input)[param], input) : false,
  )
const tool = (param: string, broken: (tool: JsonObject) => boolean) =>
  validation('4.4', `response.tools.${param}`, (input: ResponseInput) =>
    objectsAt(input.response, 'tools').some(broken),
  )
const references = (input: ResponseInput): JsonObject[] =>
  objectsAt(input.response, 'input').filter((item) => item['type'] === 'item_reference')

const fieldValidations = () => ({
  'response-not-object': validation('4.4', 'response', (input: ResponseInput) => notObject(input.event['response'])),
  'conversation-unknown': at('conversation', (value) => notString(value) || notOneOf(value, ['auto', 'none'])),
  'policy-unknown': at(
    'scheduling_policy',
    (value) => notString(value) || notOneOf(value, ['interrupt', 'reject_if_busy', 'after_current_response']),
  ),
  'instructions-not-string': at('instructions', notString),
  'tokens-not-valid': at(
    'max_output_tokens',
    (value) => value !== 'inf' && (notInteger(value) || (typeof value === 'number' && value < 1)),
  ),
  'input-not-array': at('input', notArray),
  'input-not-objects': at('input', notObjects),
  'reference-id-missing': at('input', (_value, input) =>
    references(input).some((item) => typeof item['id'] !== 'string'),
  ),
  /** "item must already exist" */
  'reference-unknown': at('input', (_value, input) =>
    references(input).some(
      (item) => typeof item['id'] === 'string' && !input.session.items.some((stored) => stored['id'] === item['id']),
    ),
  ),
  'tools-not-array': at('tools', notArray),
  'tools-not-objects': at('tools', notObjects),
  /** "Function tools only … tools of kind `mcp` are not available." */
  'tool-type-missing': tool('type', (one) => missing(one['type'])),
  'tool-type-mcp': tool('type', (one) => one['type'] === 'mcp'),
  'tool-type-not-function': tool('type', (one) => notString(one['type']) || notOneOf(one['type'], ['function', 'mcp'])),
  'tool-name-missing': tool('name', (one) => missing(one['name']) || empty(one['name'])),
  'tool-name-not-string': tool('name', (one) => notString(one['name'])),
  'tool-description-not-string': tool('description', (one) => notString(one['description'])),
  'tool-parameters-not-object': tool('parameters', (one) => notObject(one['parameters'])),
})

const scriptValidations = () => ({
  'script-not-object': at('script', notObject),
  'script-with-input': at('input', (value, input) => scripted(input) && value !== undefined),
  'script-with-instructions': at('instructions', (value, input) => scripted(input) && value !== undefined),
  'script-with-tools': at('tools', (value, input) => scripted(input) && value !== undefined),
  'script-with-tokens': at('max_output_tokens', (value, input) => scripted(input) && value !== undefined),
  'script-empty': validation(
    '4.4',
    'response.script',
    (input: ResponseInput) =>
      scripted(input) && script(input)['vocal'] === undefined && script(input)['visual'] === undefined,
  ),
})

const exactlyOne = (one: unknown, other: unknown): boolean => (one === undefined) !== (other === undefined)

const vocalValidations = () => ({
  'vocal-not-object': inScript('vocal', notObject),
  'vocal-type-unknown': inScript('vocal', (value) => {
    const allowed = ['speech', 'speech_asset', 'audio', 'audio_asset']
    return value !== undefined && !notObject(value) && !allowed.includes(String(objectAt({ value }, 'value')['type']))
  }),
  'speech-text-missing': inVocal(['speech'], 'text', (value) => missing(value) || empty(value)),
  'speech-text-not-string': inVocal(['speech'], 'text', notString),
  'speech-asset-missing': inVocal(['speech_asset'], 'speech_text_asset_id', (value) => typeof value !== 'string'),
  'speech-asset-unknown': inVocal(
    ['speech_asset'],
    'speech_text_asset_id',
    (value, input) => typeof value === 'string' && !input.session.assets.speech_text.has(value),
  ),
  'audio-asset-missing': inVocal(['audio_asset'], 'audio_asset_id', (value) => typeof value !== 'string'),
  'audio-asset-unknown': inVocal(
    ['audio_asset'],
    'audio_asset_id',
    (value, input) => typeof value === 'string' && !input.session.assets.audio.has(value),
  ),
  'audio-type-missing': inVocal(['audio'], 'mime_type', missing),
  'audio-type-unknown': inVocal(['audio'], 'mime_type', (value) => notString(value) || notOneOf(value, AUDIO_TYPES)),
  'audio-both': inVocal(['audio'], 'url', (value, input) => value !== undefined && vocal(input)['audio'] !== undefined),
  'audio-neither': inVocal(
    ['audio'],
    'url',
    (value, input) => value === undefined && vocal(input)['audio'] === undefined,
  ),
  'audio-url-not-https': inVocal(['audio'], 'url', (value) => notString(value) || empty(value) || notHttps(value)),
  /** "base64 bytes, no data URL prefix" */
  'audio-data-url': inVocal(['audio'], 'audio', (value) => typeof value === 'string' && value.startsWith('data:')),
  'audio-not-base64': inVocal(
    ['audio'],
    'audio',
    (value) => notString(value) || empty(value) || (!String(value).startsWith('data:') && notBase64(value)),
  ),
  /** "bytes must match" */
  'audio-bytes-mismatch': inVocal(['audio'], 'audio', (value, input) => {
    if (typeof value !== 'string' || value === '' || notBase64(value)) return false
    return !bytesMatch(Buffer.from(value, 'base64'), vocal(input)['mime_type'])
  }),
})

/** Whether the first bytes are those of a WAV or of an MP3. */
function bytesMatch(bytes: Buffer, mimeType: unknown): boolean {
  const wav = bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WAVE'
  const mpeg =
    bytes.subarray(0, 3).toString('latin1') === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)
  if (mimeType === 'audio/wav') return wav
  return mimeType === 'audio/mpeg' ? mpeg : true
}

const visualValidations = () => ({
  'visual-not-object': inScript('visual', notObject),
  'visual-both': inVisual(
    'prompt',
    (value, input) => value !== undefined && visual(input)['visual_prompt_asset_id'] !== undefined,
  ),
  'visual-neither': inVisual(
    'prompt',
    (value, input) => !exactlyOne(value, visual(input)['visual_prompt_asset_id']) && value === undefined,
  ),
  'visual-prompt-invalid': inVisual('prompt', (value) => notString(value) || empty(value)),
  'visual-asset-not-string': inVisual('visual_prompt_asset_id', notString),
  'visual-asset-unknown': inVisual(
    'visual_prompt_asset_id',
    (value, input) => typeof value === 'string' && !input.session.assets.visual_prompts.has(value),
  ),
  'visual-duration-invalid': inVisual(
    'duration_ms',
    (value) => notInteger(value) || (typeof value === 'number' && value < 1),
  ),
  /** "used only in `video_avatar` mode" */
  'visual-in-text-chat': inScript(
    'visual',
    (value, input) =>
      value !== undefined && script(input)['vocal'] === undefined && input.session.state.mode === 'text_chat',
  ),
})

/** 4.4 `response.create`. */
export const responseCreateValidations = () => ({
  ...fieldValidations(),
  ...scriptValidations(),
  ...vocalValidations(),
  ...visualValidations(),
})
