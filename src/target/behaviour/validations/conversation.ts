import { type JsonObject, objectAt, objectsAt } from '#target/wire'
import {
  above,
  below,
  empty,
  missing,
  notArray,
  notBoolean,
  notInteger,
  notNumber,
  notObject,
  notObjects,
  notOneOf,
  notString,
} from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

/** The `conversation` object of a create. */
export interface ConversationInput extends ValidationInput {
  given: unknown
}

type Broken = (value: JsonObject, input: ConversationInput) => boolean

const self = (input: ConversationInput): JsonObject => objectAt({ conversation: input.given }, 'conversation')
const at = (path: string, broken: Broken) =>
  validation('2.5', `conversation.${path}`, (input: ConversationInput) => broken(self(input), input))
const inside = (key: string, path: string, broken: Broken) =>
  validation('2.5', `conversation.${key}.${path}`, (input: ConversationInput) =>
    broken(objectAt(self(input), key), input),
  )
const tool = (path: string, broken: (tool: JsonObject) => boolean) =>
  validation('2.5', `conversation.tools.${path}`, (input: ConversationInput) =>
    objectsAt(self(input), 'tools').some(broken),
  )

/** 2.5 Conversation defaults. */
export const conversationValidations = () => ({
  'conversation-not-object': validation('2.5', 'conversation', (input: ConversationInput) => notObject(input.given)),
  'instructions-not-string': at('instructions', (one) => notString(one['instructions'])),
  'tools-not-array': at('tools', (one) => notArray(one['tools'])),
  'tools-not-objects': at('tools', (one) => notObjects(one['tools'])),
  'tool-type-missing': tool('type', (one) => missing(one['type'])),
  'tool-type-not-function': tool('type', (one) => one['type'] !== undefined && one['type'] !== 'function'),
  'tool-name-missing': tool('name', (one) => missing(one['name'])),
  'tool-name-not-string': tool('name', (one) => notString(one['name'])),
  'tool-name-empty': tool('name', (one) => empty(one['name'])),
  'tool-description-not-string': tool('description', (one) => notString(one['description'])),
  'tool-parameters-not-object': tool('parameters', (one) => notObject(one['parameters'])),
  'response-defaults-not-object': at('response_defaults', (one) => notObject(one['response_defaults'])),
  'temperature-not-number': inside('response_defaults', 'temperature', (one) => notNumber(one['temperature'])),
  'temperature-low': inside('response_defaults', 'temperature', (one, input) =>
    below(one['temperature'], input.limits.temperatureMinimum),
  ),
  'temperature-high': inside('response_defaults', 'temperature', (one, input) =>
    above(one['temperature'], input.limits.temperatureMaximum),
  ),
  'default-tokens-not-integer': inside('response_defaults', 'max_output_tokens', (one) =>
    notInteger(one['max_output_tokens']),
  ),
  'turn-detection-not-object': at('turn_detection', (one) => notObject(one['turn_detection'])),
  'turn-detection-type-not-string': inside('turn_detection', 'type', (one) => notString(one['type'])),
  'turn-detection-type-unknown': inside('turn_detection', 'type', (one) =>
    notOneOf(one['type'], ['manual', 'server_vad']),
  ),
  'silence-not-integer': inside('turn_detection', 'silence_duration_ms', (one) =>
    notInteger(one['silence_duration_ms']),
  ),
  'transcription-not-object': at('input_audio_transcription', (one) => notObject(one['input_audio_transcription'])),
  'transcription-enabled-not-boolean': inside('input_audio_transcription', 'enabled', (one) =>
    notBoolean(one['enabled']),
  ),
  'transcription-language-not-string': inside('input_audio_transcription', 'language', (one) =>
    notString(one['language']),
  ),
})
