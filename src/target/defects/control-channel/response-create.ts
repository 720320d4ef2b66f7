import type { Behaviour } from '#target/behaviour/behaviour'
import type { ResponseInput } from '#target/behaviour/rules/response-create'
import { waive } from '#target/behaviour/rules/waive'
import { type Wire, wiresAt } from '#target/wire'
import { put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { memory, mute, onEvent, refuseEvent, twice } from '../tools.ts'

const refuse = (b: Behaviour, broken: (input: ResponseInput) => boolean): void =>
  refuseEvent(b.rules.responseCreate, broken)
const tools = ({ response }: ResponseInput): Wire[] => wiresAt(response, 'tools')
const input = ({ response }: ResponseInput): Wire[] => wiresAt(response, 'input')
const isReference = ({ type }: Wire): boolean => type === 'item_reference'

const acceptDefects = defectsOf('control-channel', {
  'response-create.bare-accepted': [
    'A request needs a response.',
    (b) => refuse(b, ({ event }) => event['response'] === undefined),
  ],
  'response-create.empty-response-accepted': [
    'An empty response is refused.',
    (b) => refuse(b, ({ event, response }) => event['response'] !== undefined && Object.keys(response).length === 0),
  ],
  'response-create.conversation-auto-accepted': [
    'The conversation `auto` is unknown.',
    (b) => refuse(b, ({ response }) => response['conversation'] === 'auto'),
  ],
  'response-create.conversation-none-accepted': [
    'The conversation `none` is unknown.',
    (b) => refuse(b, ({ response }) => response['conversation'] === 'none'),
  ],
  'response-create.input-empty-accepted': [
    'An empty input is refused.',
    (b) => refuse(b, (one) => one.response['input'] !== undefined && input(one).length === 0),
  ],
  'response-create.input-item-reference-accepted': [
    'References alone are refused.',
    (b) => refuse(b, (one) => input(one).length > 0 && input(one).every(isReference)),
  ],
  'response-create.input-item-accepted': [
    'Items alone are refused.',
    (b) => refuse(b, (one) => input(one).length > 0 && !input(one).some(isReference)),
  ],
  'response-create.input-mixed-accepted': [
    'References beside items are refused.',
    (b) => refuse(b, (one) => input(one).some(isReference) && !input(one).every(isReference)),
  ],
  'response-create.instructions-accepted': [
    'Instructions are refused.',
    (b) => refuse(b, ({ response }) => response['instructions'] !== undefined && response['script'] === undefined),
  ],
  'response-create.max-output-tokens-accepted': [
    'A maximum must be `inf`.',
    (b) => refuse(b, ({ response }) => typeof response['max_output_tokens'] === 'number'),
  ],
  'response-create.max-output-tokens-inf-accepted': [
    'A maximum must be a number.',
    (b) => refuse(b, ({ response }) => response['max_output_tokens'] === 'inf'),
  ],
  'response-create.tools-accepted': [
    'Tools need parameters.',
    (b) => refuse(b, (one) => tools(one).some((tool) => tool['parameters'] === undefined)),
  ],
  'response-create.tools-full-accepted': [
    'Tools must have no description.',
    (b) => refuse(b, (one) => tools(one).some((tool) => tool['description'] !== undefined)),
  ],
  'response-create.tools-empty-accepted': [
    'Empty tools are refused.',
    (b) => refuse(b, (one) => one.response['tools'] !== undefined && tools(one).length === 0),
  ],
})

/** Item ids that a session once had. */
const deletedIds = (b: Behaviour): ((items: Wire[]) => Set<unknown>) => {
  const gone = memory(() => new Set<unknown>())
  const { remove } = b.conversation
  b.conversation.remove = (items, id) => {
    gone(items).add(id)
    remove(items, id)
  }
  return gone
}

const rejectDefects = defectsOf('control-channel', {
  'response-create.conversation-unknown-rejected': [
    'Any conversation is accepted.',
    ({ rules }) => waive(rules.responseCreate, 'conversation-unknown'),
  ],
  'response-create.scheduling-policy-unknown-rejected': [
    'Any policy is accepted.',
    ({ rules }) => waive(rules.responseCreate, 'policy-unknown'),
  ],
  'response-create.input-unknown-reference-rejected': [
    'References to items that never were are dropped.',
    (b) => {
      const gone = deletedIds(b)
      const rule = b.rules.responseCreate['reference-unknown']
      const { broken } = rule
      rule.broken = (one) =>
        broken(one) && input(one).some((item) => isReference(item) && gone(one.session.items).has(item['id']))
    },
  ],
  'response-create.input-deleted-reference-rejected': [
    'References to deleted items are dropped.',
    (b) => {
      const gone = deletedIds(b)
      const rule = b.rules.responseCreate['reference-unknown']
      const { broken } = rule
      rule.broken = (one) =>
        broken(one) && !input(one).some((item) => isReference(item) && gone(one.session.items).has(item['id']))
    },
  ],
  'response-create.input-reference-id-missing-rejected': [
    'References need no id.',
    ({ rules }) => waive(rules.responseCreate, 'reference-id-missing'),
  ],
  'response-create.max-output-tokens-other-string-rejected': [
    'Any string is a maximum.',
    ({ rules }) => waive(rules.responseCreate, 'tokens-not-valid'),
  ],
  'response-create.tools-mcp-rejected': [
    'Tools of kind `mcp` are accepted.',
    ({ rules }) => waive(rules.responseCreate, 'tool-type-mcp'),
  ],
  'response-create.tools-other-type-rejected': [
    'Tools of other types are accepted.',
    ({ rules }) => waive(rules.responseCreate, 'tool-type-not-function'),
  ],
  'response-create.tools-name-missing-rejected': [
    'Tools need no name.',
    ({ rules }) => waive(rules.responseCreate, 'tool-name-missing'),
  ],
  'response-create.tools-type-missing-rejected': [
    'Tools need no type.',
    ({ rules }) => waive(rules.responseCreate, 'tool-type-missing'),
  ],
  'response-create.rejected-leaves-active-alone': [
    'An invalid request ends the active response.',
    ({ scheduling }) => void (scheduling.refusalCuts = (valid) => !valid),
  ],
  'response-create.rejected-not-created': [
    'An invalid request starts a response, too.',
    ({ scheduling }) => void (scheduling.startsRefused = true),
  ],
})

const effectDefects = defectsOf('control-channel', {
  'response-create.yields-created': ['The start of a response is not told.', (b) => mute(b, 'response.created')],
  'response-create.created-once': ['The start of a response is told twice.', (b) => twice(b, 'response.created')],
  'response-create.created-only-when-asked': [
    'A message of the user starts a response.',
    ({ conversation }) =>
      void (conversation.answers = ({ type, role }, { response }) =>
        type === 'message' && role === 'user' && response === undefined),
  ],
  'response-create.auto-output-written': [
    'Output for `auto` is not written.',
    ({ conversation }) => {
      const { writes } = conversation
      conversation.writes = (plan) => writes(plan) && !(plan.conversation === 'auto' && plan.kind === 'reply')
    },
  ],
  'response-create.default-output-written': [
    'Output without conversation is not written.',
    ({ conversation }) => {
      const { writes } = conversation
      conversation.writes = (plan) => writes(plan) && !(plan.conversation === undefined && plan.kind === 'reply')
    },
  ],
  'response-create.none-output-not-written': [
    'Output for `none` is written.',
    ({ conversation }) => {
      const { writes } = conversation
      conversation.writes = (plan) => writes(plan) || plan.kind === 'reply'
      conversation.announces = (plan) => plan.conversation !== 'none'
    },
  ],
  'response-create.max-output-tokens-shown': [
    'The maximum is always shown as `inf`.',
    (b) => {
      onEvent(b, 'response.created', put('response.max_output_tokens', 'inf'))
      onEvent(b, 'response.done', put('response.max_output_tokens', 'inf'))
    },
  ],
  'response-create.max-output-tokens-this-response-only': [
    'A maximum stays for later responses.',
    ({ responses }) => {
      const last = memory(() => ({ maximum: undefined as number | undefined }))
      const { maxOutputTokens } = responses
      responses.maxOutputTokens = (response, defaults, session) => {
        const asked = maxOutputTokens(response, defaults, session)
        if (typeof asked === 'number') last(session).maximum = asked
        return response['max_output_tokens'] === undefined ? (last(session).maximum ?? asked) : asked
      }
    },
  ],
  'response-create.tools-override': [
    'Tools of a response come after those of the session.',
    ({ generation }) => {
      const { tools: of } = generation
      generation.tools = (response, conversation, session) => {
        const own = of(response, conversation, session)
        return own.length > 0 ? [...wiresAt(conversation, 'tools'), ...own] : own
      }
    },
  ],
  'response-create.tools-empty-override': [
    'Empty tools mean those of the session.',
    ({ generation }) => {
      const { tools: of } = generation
      generation.tools = (response, conversation, session) => {
        const own = of(response, conversation, session)
        return own.length === 0 ? wiresAt(conversation, 'tools') : own
      }
    },
  ],
  'response-create.tools-this-response-only': [
    'Tools of a response stay for later ones.',
    ({ generation }) => {
      const last = memory(() => ({ tools: undefined as Wire[] | undefined }))
      const { tools: of } = generation
      generation.tools = (response, conversation, session) => {
        const own = of(response, conversation, session)
        if (response['tools'] !== undefined && own.length > 0) last(session).tools = own
        return response['tools'] === undefined ? (last(session).tools ?? own) : own
      }
    },
  ],
})

export const responseCreateDefects = [...acceptDefects, ...rejectDefects, ...effectDefects]
