import type { CreateInput } from '#target/behaviour/validations/create-session'
import { allButLast, change, cutAt, omit, withoutMarkup } from '#target/overrides/changes'
import { onCreated, snake } from '#target/overrides/data'
import { around, drop, remembering } from '#target/overrides/operators'
import { isWire, type JsonObject, objectsAt, wiresOf, without } from '#target/wire'
import { atEnds, narrowed } from '../tools/ends.ts'
import { unchecked } from '../tools/modes.ts'
import { inBody, refuseCreate, sent } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const tools = (input: CreateInput): JsonObject[] => objectsAt(inBody(input, 'conversation'), 'tools')

const transcription = (input: CreateInput): unknown =>
  sent(input, 'conversation', 'input_audio_transcription', 'language')

function snakeParameters(tool: JsonObject): JsonObject {
  const parameters = tool['parameters']
  if (!isWire(parameters) || !isWire(parameters['properties'])) return tool
  const properties = Object.fromEntries(
    Object.entries(parameters['properties']).map(([name, value]) => [snake(name), value]),
  )
  return { ...tool, parameters: { ...parameters, properties } }
}

/** Of each property of a schema its type. */
function typesAlone(properties: unknown): unknown {
  if (!isWire(properties)) return properties
  const types = Object.entries(properties).map(([name, one]) => [name, { type: isWire(one) ? one['type'] : undefined }])
  return Object.fromEntries(types)
}

/** What tells a client what to call, of tools behind the first. */
function laterNamed(list: unknown): unknown {
  if (!Array.isArray(list)) return list
  return list.map((tool, place) => (place > 0 && isWire(tool) ? { type: tool['type'], name: tool['name'] } : tool))
}

/** Properties of a schema without their descriptions. */
function undescribed(properties: unknown): unknown {
  if (!isWire(properties)) return properties
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, isWire(one) ? without(one, 'description') : one]),
  )
}

/** As whoever tests a value by its truth passes it on. */
function withoutFalsy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFalsy)
  if (!isWire(value)) return value
  const kept = Object.entries(value).filter(([, one]) => Boolean(one))
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutFalsy(one)]))
}

export const conversationDefects = defectsOf('avatar-sessions.conversation', {
  'tool-minimal-accepted: Tools need parameters.': refuseCreate((input) =>
    tools(input).some((tool) => tool['parameters'] === undefined),
  ),
  'tool-minimal-accepted~in-video: Video sessions take no tools.': refuseCreate(
    (input) => input.mode === 'video_avatar' && tools(input).length > 0,
  ),
  'tool-full-accepted: Parameters of tools are refused.': refuseCreate((input) =>
    tools(input).some((tool) => tool['parameters'] !== undefined),
  ),
  'tools-empty-accepted: An empty list of tools is refused.': refuseCreate((input) => {
    const given = sent(input, 'conversation', 'tools')
    return Array.isArray(given) && given.length === 0
  }),
  'max-output-tokens-accepted: A default bound is refused.': refuseCreate(
    (input) => sent(input, 'conversation', 'response_defaults', 'max_output_tokens') !== undefined,
  ),
  'tool-type-missing-rejected: A tool needs no type.': drop('validations.conversation', 'tool-type-missing'),
  'tool-name-missing-rejected: A tool needs no name.': drop('validations.conversation', 'tool-name-missing'),
  'tool-name-missing-rejected~in-video: In video sessions tools need no name.': unchecked(
    'video_avatar',
    ({ conversation }) => conversation['tool-name-missing'],
  ),
  'tool-name-missing-rejected~second: Only the first tool is looked at for its name.': around(
    'validations.conversation.tool-name-missing.broken',
    (broken) => (input) => broken({ ...input, given: { tools: objectsAt(input.given, 'tools').slice(0, 1) } }),
  ),
  'tool-type-unknown-rejected: Any tool type is accepted.': drop('validations.conversation', 'tool-type-not-function'),
  'temperature-out-of-range-rejected: Any temperature is accepted.': drop(
    'validations.conversation',
    'temperature-low',
    'temperature-high',
  ),
  'temperature-out-of-range-rejected~in-video: In video sessions any temperature is taken.': unchecked(
    'video_avatar',
    ({ conversation }) => conversation['temperature-high'],
  ),
  'turn-detection-manual-accepted: Manual turn detection is refused.': refuseCreate(
    (input) => sent(input, 'conversation', 'turn_detection', 'type') === 'manual',
  ),
  'turn-detection-server-vad-accepted: server_vad is an invalid parameter.': refuseCreate(
    (input) => sent(input, 'conversation', 'turn_detection', 'type') === 'server_vad',
    '20004',
  ),
  'turn-detection-unknown-rejected: Any turn detection is accepted.': drop(
    'validations.conversation',
    'turn-detection-type-unknown',
  ),
  'transcription-language-tag-accepted: Only `auto` is known as a language.': refuseCreate(
    (input) => transcription(input) !== undefined && transcription(input) !== 'auto',
    '20004',
  ),
  'transcription-language-auto-accepted: `auto` is no language.': refuseCreate(
    (input) => transcription(input) === 'auto',
    '20004',
  ),
  'object: An empty conversation is left out.': onCreated(omit('conversation')),
  'instructions-echoed: Instructions are not returned.': onCreated(omit('conversation.instructions')),
  'instructions-echoed~emoji: Characters of instructions that need four bytes come back as question marks.': onCreated(
    change('conversation.instructions', (text) =>
      typeof text === 'string' ? text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') : text,
    ),
  ),
  'instructions-echoed~markup: What looks like markup in instructions is lost.': onCreated(
    change('conversation.instructions', withoutMarkup),
  ),
  'tools-echoed~markup: What looks like markup in descriptions of tools is lost.': onCreated(
    change('conversation.tools.*.description', withoutMarkup),
  ),
  'instructions-echoed~cut: Instructions come back cut to 255 characters.': onCreated(
    change('conversation.instructions', cutAt(255)),
  ),
  'instructions-echoed~long: Instructions come back cut to 1,024 characters.': onCreated(
    change('conversation.instructions', cutAt(1024)),
  ),
  'tools-echoed~description: Descriptions of tools come back cut to 255 characters.': onCreated(
    change('conversation.tools.*.description', cutAt(255)),
  ),
  'tools-echoed: Tools come back without parameters.': onCreated(omit('conversation.tools.*.parameters')),
  'tools-echoed~second: Tools behind the first come back by their names alone.': onCreated(
    change('conversation.tools', laterNamed),
  ),
  'tools-echoed~described: Parameters of tools come back undescribed.': onCreated(
    change('conversation.tools.*.parameters.properties', undescribed),
  ),
  'tools-own-only: Tools that a create once sent are those of every later session without any.': remembering(() => {
    let last: unknown
    return around('create.conversation', (conversation) => (body) => {
      const made = conversation(body)
      last = made['tools'] ?? last
      return last === undefined ? made : { ...made, tools: last }
    })
  }),
  'tools-echoed~last: The last tool is lost.': onCreated(change('conversation.tools', allButLast)),
  'tools-echoed~required: Parameters of tools come back without what they require.': onCreated(
    omit('conversation.tools.*.parameters.required'),
  ),
  'tools-echoed~nested: Parameters of tools lose what stands deeper than the type of each.': onCreated(
    change('conversation.tools.*.parameters.properties', typesAlone),
  ),
  'tools-echoed~false: Parameters of tools lose what is false, 0 or empty.': onCreated(
    change('conversation.tools.*.parameters', withoutFalsy),
  ),
  'tools-echoed~parameter-names: Names of tool parameters come back in snake_case.': around(
    'create.conversation',
    (conversation) => (body) => {
      const made = conversation(body)
      return made['tools'] === undefined ? made : { ...made, tools: wiresOf(made['tools']).map(snakeParameters) }
    },
  ),
  'temperature-echoed: The temperature is rounded.': onCreated(
    change('conversation.response_defaults.temperature', (value) =>
      typeof value === 'number' ? Math.round(value) + 1 : value,
    ),
  ),
  'temperature-echoed~zero: A temperature of 0 is left out.': onCreated(
    change('conversation.response_defaults.temperature', (value) => value || undefined),
  ),
  'max-output-tokens-echoed: The token maximum is raised.': onCreated(
    change('conversation.response_defaults.max_output_tokens', (value) =>
      typeof value === 'number' ? value + 1 : value,
    ),
  ),
  'turn-detection-echoed: Turn detection is always manual, or never.': onCreated(
    change('conversation.turn_detection.type', (type) => (type === 'manual' ? 'server_vad' : 'manual')),
  ),
  'transcription-enabled-echoed: The transcription switch is turned.': onCreated(
    change('conversation.input_audio_transcription.enabled', (on) => on !== true),
  ),
  'transcription-language-echoed: The language comes back in its parts.': onCreated(
    change('conversation.input_audio_transcription.language', (tag) => String(tag).split('-')),
  ),
  ...atEnds(
    'tool',
    'validations.conversation',
    (input, end) => ({ ...input, given: narrowed(input.given, 'tools', end) }),
    {
      'tool-type-missing-rejected': ['tool-type-missing', 'its type'],
      'tool-name-missing-rejected': ['tool-name-missing', 'its name'],
      'tool-type-unknown-rejected': ['tool-type-not-function', 'another type'],
    },
  ),
})
