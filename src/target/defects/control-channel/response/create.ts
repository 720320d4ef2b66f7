import type { Behaviour } from '#target/behaviour/behaviour'
import type { ResponseInput } from '#target/behaviour/validations/response-create'
import { put } from '#target/overrides/changes'
import { withhold, onEvent, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { around, drop, remembering, set } from '#target/overrides/operators'
import { type JsonObject, objectsAt } from '#target/wire'
import { atEnds, type End, narrowed } from '../../tools/ends.ts'
import { refuseResponse, vocalOf } from '../../tools/control-channel.ts'
import { defectsOf } from '../../tools/table.ts'

const inputOf = ({ response }: ResponseInput): JsonObject[] => objectsAt(response, 'input')

const tools = ({ response }: ResponseInput): JsonObject[] => objectsAt(response, 'tools')

const isReference = ({ type }: JsonObject): boolean => type === 'item_reference'

/** Item ids that a session once had. */
const deletedIds = (b: Behaviour): ((items: JsonObject[]) => Set<unknown>) => {
  const gone = memory(() => new Set<unknown>())
  const { remove } = b.conversation
  b.conversation.remove = (items, id) => {
    gone(items).add(id)
    remove(items, id)
  }
  return gone
}

const fewer =
  (list: 'tools' | 'input') =>
  (input: ResponseInput, end: End): ResponseInput => ({ ...input, response: narrowed(input.response, list, end) })

const isNone = (input: unknown): boolean => Array.isArray(input) && input.length === 0

export const responseCreateDefects = defectsOf('control-channel.response-create', {
  'bare-accepted: A request needs a response.': refuseResponse(({ event }) => event['response'] === undefined),
  'empty-response-accepted: An empty response is refused.': refuseResponse(
    ({ event, response }) => event['response'] !== undefined && Object.keys(response).length === 0,
  ),
  'conversation-auto-accepted: The conversation `auto` is unknown.': refuseResponse(
    ({ response }) => response['conversation'] === 'auto',
  ),
  'conversation-auto-accepted~registered: A registered text is spoken by default or out of band, not by name.':
    refuseResponse((input) => input.response['conversation'] === 'auto' && vocalOf(input)['type'] === 'speech_asset'),
  'conversation-none-accepted: The conversation `none` is unknown.': refuseResponse(
    ({ response }) => response['conversation'] === 'none',
  ),
  'input-empty-accepted~out-of-band: A response that is out of band needs an input.': refuseResponse(
    ({ response }) => response['conversation'] === 'none' && isNone(response['input']),
  ),
  'input-empty-accepted~instructions: Instructions are refused out of band.': refuseResponse(
    ({ response }) => response['conversation'] === 'none' && response['instructions'] !== undefined,
  ),
  'input-empty-accepted: An empty input is refused.': refuseResponse(
    (one) => one.response['input'] !== undefined && inputOf(one).length === 0,
  ),
  'input-item-reference-accepted: References alone are refused.': refuseResponse(
    (one) => inputOf(one).length > 0 && inputOf(one).every(isReference),
  ),
  'conversation-none-accepted~model: A model speaks to the conversation alone.': refuseResponse(
    ({ response }) => response['conversation'] === 'none' && response['script'] === undefined,
  ),
  'input-item-accepted: Items alone are refused.': refuseResponse(
    (one) => inputOf(one).length > 0 && !inputOf(one).some(isReference),
  ),
  'input-item-accepted~function-call: Items other than messages are refused as input.': refuseResponse((one) =>
    inputOf(one).some(({ type }) => type === 'function_call' || type === 'function_call_output'),
  ),
  'input-item-accepted~assistant: What an assistant said is refused as an input.': refuseResponse((one) =>
    inputOf(one).some(({ role }) => role === 'assistant'),
  ),
  'input-item-accepted~system: A system message is refused as an input.': refuseResponse((one) =>
    inputOf(one).some(({ role }) => role === 'system'),
  ),
  'input-item-reference-accepted~two: An input takes one reference.': refuseResponse(
    (one) => inputOf(one).length > 1 && inputOf(one).every(isReference),
  ),
  'input-item-reference-accepted~aside: A response that is out of band takes no references.': refuseResponse(
    (one) => one.response['conversation'] === 'none' && inputOf(one).some(isReference),
  ),
  'input-item-reference-accepted~assistant: References to what the assistant said are refused.': refuseResponse(
    (one) => {
      const said = one.session.items.filter(({ role }) => role === 'assistant').map(({ id }) => id)
      return inputOf(one).some(({ id, type }) => type === 'item_reference' && said.includes(id))
    },
  ),
  'input-mixed-accepted: References beside items are refused.': refuseResponse(
    (one) => inputOf(one).some(isReference) && !inputOf(one).every(isReference),
  ),
  'instructions-accepted: Instructions are refused.': refuseResponse(
    ({ response }) => response['instructions'] !== undefined && response['script'] === undefined,
  ),
  'max-output-tokens-accepted: A maximum must be `inf`.': refuseResponse(
    ({ response }) => typeof response['max_output_tokens'] === 'number',
  ),
  'max-output-tokens-inf-accepted: A maximum must be a number.': refuseResponse(
    ({ response }) => response['max_output_tokens'] === 'inf',
  ),
  'tools-accepted: Tools need parameters.': refuseResponse((one) =>
    tools(one).some((tool) => tool['parameters'] === undefined),
  ),
  'tools-full-accepted: Tools must have no description.': refuseResponse((one) =>
    tools(one).some((tool) => tool['description'] !== undefined),
  ),
  'tools-empty-accepted: Empty tools are refused.': refuseResponse(
    (one) => one.response['tools'] !== undefined && tools(one).length === 0,
  ),
  'conversation-unknown-rejected: Any conversation is accepted.': drop(
    'validations.responseCreate',
    'conversation-unknown',
  ),
  'scheduling-policy-unknown-rejected: Any policy is accepted.': drop('validations.responseCreate', 'policy-unknown'),
  'input-unknown-reference-rejected: References to items that never were are dropped.': (b) => {
    const gone = deletedIds(b)
    const validation = b.validations.responseCreate['reference-unknown']
    const { broken } = validation
    validation.broken = (one) =>
      broken(one) && inputOf(one).some((item) => isReference(item) && gone(one.session.items).has(item['id']))
  },
  'input-unknown-reference-rejected~second: Only the first of several references must exist.': set(
    'validations.responseCreate.reference-unknown.broken',
    ({ response, session }) =>
      objectsAt(response, 'input')
        .filter(({ type }) => type === 'item_reference')
        .slice(0, 1)
        .some(({ id }) => typeof id === 'string' && !session.items.some((item) => item['id'] === id)),
  ),
  'input-deleted-reference-rejected: References to deleted items are dropped.': (b) => {
    const gone = deletedIds(b)
    const validation = b.validations.responseCreate['reference-unknown']
    const { broken } = validation
    validation.broken = (one) =>
      broken(one) && !inputOf(one).some((item) => isReference(item) && gone(one.session.items).has(item['id']))
  },
  'input-deleted-reference-rejected~kept: A reference to an item that was deleted is taken.': remembering(() => {
    const gone = memory(() => new Set<unknown>())
    return [
      around('conversation.remove', (remove) => (items, id) => {
        gone(items).add(id)
        remove(items, id)
      }),
      set('validations.responseCreate.reference-unknown.broken', ({ response, session }) =>
        objectsAt(response, 'input').some(
          ({ type, id }) =>
            type === 'item_reference' &&
            typeof id === 'string' &&
            !gone(session.items).has(id) &&
            !session.items.some((item) => item['id'] === id),
        ),
      ),
    ]
  }),
  'input-reference-id-missing-rejected: References need no id.': drop(
    'validations.responseCreate',
    'reference-id-missing',
  ),
  'max-output-tokens-other-string-rejected: Any string is a maximum.': drop(
    'validations.responseCreate',
    'tokens-not-valid',
  ),
  'tools-mcp-rejected: Tools of kind `mcp` are accepted.': drop('validations.responseCreate', 'tool-type-mcp'),
  'tools-other-type-rejected: Tools of other types are accepted.': drop(
    'validations.responseCreate',
    'tool-type-not-function',
  ),
  'tools-name-missing-rejected: Tools need no name.': drop('validations.responseCreate', 'tool-name-missing'),
  'tools-type-missing-rejected: Tools need no type.': drop('validations.responseCreate', 'tool-type-missing'),
  'rejected-writes-nothing: Items of a request that is refused for an unknown one stay in the conversation.': around(
    'validations.responseCreate.reference-unknown.broken',
    (broken) => (input) => {
      const refused = broken(input)
      const items = objectsAt(input.response, 'input').filter(({ type }) => type !== 'item_reference')
      if (refused) input.session.items.push(...items.map((item, place) => ({ id: `kept_${place}`, ...item })))
      return refused
    },
  ),
  'rejected-leaves-active-alone: An invalid request ends the active response.': set(
    'scheduling.refusalCuts',
    (valid) => !valid,
  ),
  'rejected-leaves-active-alone~unknown-asset: A script refused for an unknown speech asset cuts the active response.':
    remembering(() => {
      let unknown = false
      return [
        around('validations.responseCreate.speech-asset-unknown.broken', (broken) => (input) => {
          unknown = broken(input)
          return unknown
        }),
        set('scheduling.refusalCuts', (valid) => {
          const cuts = !valid && unknown
          unknown = false
          return cuts
        }),
      ]
    }),
  'rejected-not-created: An invalid request starts a response, too.': set('scheduling.startsRefused', true),
  'yields-created: The start of a response is not told.': withhold('response.created'),
  'created-once: The start of a response is told twice.': twice('response.created'),
  'created-only-when-asked: A message of the user starts a response.': set(
    'conversation.answers',
    ({ type, role }, { response }) => type === 'message' && role === 'user' && response === undefined,
  ),
  'auto-output-written: Output for `auto` is not written.': around(
    'conversation.writes',
    (writes) => (plan) => writes(plan) && !(plan.conversation === 'auto' && plan.kind === 'reply'),
  ),
  'default-output-written: Output without conversation is not written.': around(
    'conversation.writes',
    (writes) => (plan) => writes(plan) && !(plan.conversation === undefined && plan.kind === 'reply'),
  ),
  'default-output-written~after-none: The request after an out-of-band one is out-of-band, too, unless it says auto.':
    around('scheduling.submitted', () => {
      const last = memory(() => ({ conversation: undefined as string | undefined }))
      return (plan, session) => {
        const before = last(session).conversation
        last(session).conversation = plan.conversation
        return plan.conversation === undefined && before === 'none' ? { ...plan, conversation: 'none' } : plan
      }
    }),
  'none-output-not-written: Output for `none` is written.': [
    around('conversation.writes', (writes) => (plan) => writes(plan) || plan.kind === 'reply'),
    set('conversation.announces', (plan) => plan.conversation !== 'none'),
  ],
  'none-output-not-written~tool-call: A tool call of an out-of-band response is written to the conversation.': around(
    'conversation.writes',
    (writes) => (plan) => plan.kind === 'tool_call' || writes(plan),
  ),
  'max-output-tokens-shown: The maximum is always shown as `inf`.': [
    onEvent('response.created', put('response.max_output_tokens', 'inf')),
    onEvent('response.done', put('response.max_output_tokens', 'inf')),
  ],
  'max-output-tokens-shown~created: `response.created` shows no bound yet: `inf`.': onEvent(
    'response.created',
    put('response.max_output_tokens', 'inf'),
  ),
  'max-output-tokens-shown~pending: What waited has lost its bound.': set('scheduling.pendingPlan', (submitted) => ({
    ...submitted,
    maxOutputTokens: 'inf',
  })),
  'max-output-tokens-shown~inf: A response without a bound shows 0 tokens.': around(
    'responses.maxOutputTokens',
    (maximum) =>
      (...facts) => {
        const asked = maximum(...facts)
        return asked === 'inf' ? 0 : asked
      },
  ),
  'max-output-tokens-this-response-only: A maximum stays for later responses.': around(
    'responses.maxOutputTokens',
    (maxOutputTokens) => {
      const last = memory(() => ({ maximum: undefined as number | undefined }))
      return (response, defaults, session) => {
        const asked = maxOutputTokens(response, defaults, session)
        if (typeof asked === 'number') last(session).maximum = asked
        return response['max_output_tokens'] === undefined ? (last(session).maximum ?? asked) : asked
      }
    },
  ),
  'tools-override: Tools of a response come after those of the session.': around(
    'generation.tools',
    (of) => (response, conversation, session) => {
      const own = of(response, conversation, session)
      return own.length > 0 ? [...objectsAt(conversation, 'tools'), ...own] : own
    },
  ),
  'tools-empty-override: Empty tools mean those of the session.': around(
    'generation.tools',
    (of) => (response, conversation, session) => {
      const own = of(response, conversation, session)
      return own.length === 0 ? objectsAt(conversation, 'tools') : own
    },
  ),
  'tools-empty-override~pending: What waited has the tools of its session.': set(
    'scheduling.pendingPlan',
    (submitted, _now, { conversation }) => ({ ...submitted, tools: objectsAt(conversation, 'tools') }),
  ),
  'tools-this-response-only: Tools of a response stay for later ones.': around('generation.tools', (of) => {
    const last = memory(() => ({ tools: undefined as JsonObject[] | undefined }))
    return (response, conversation, session) => {
      const own = of(response, conversation, session)
      if (response['tools'] !== undefined && own.length > 0) last(session).tools = own
      return response['tools'] === undefined ? (last(session).tools ?? own) : own
    }
  }),
  ...atEnds('tool', 'validations.responseCreate', fewer('tools'), {
    'tools-mcp-rejected': ['tool-type-mcp', '`mcp`'],
    'tools-type-missing-rejected': ['tool-type-missing', 'its type'],
    'tools-name-missing-rejected': ['tool-name-missing', 'its name'],
    'tools-other-type-rejected': ['tool-type-not-function', 'another type'],
  }),
  ...atEnds('reference', 'validations.responseCreate', fewer('input'), {
    'input-unknown-reference-rejected': ['reference-unknown', 'its item'],
  }),
})
