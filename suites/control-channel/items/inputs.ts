import type { Condition, Operand } from '#trace/claim'
import { absent, all, any, different, equals, inEvent, oneOf, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { lookUp, userMessage } from '../bodies.ts'
import { strewn } from '../events/stray.ts'
import { sendUnknown } from '../events/unknown.ts'
import { onlyIf } from '../expectation.ts'
import { refuseResponse } from '../refusals.ts'
import {
  type Asked,
  type Finished,
  quiet,
  respond,
  start,
  type Started,
  startsAfter,
  wrote,
} from '../responses/responses.ts'
import { type Row, rowsIn } from '../rows.ts'
import { hearAnnounced } from '../speech/speeches.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { makeItem, remove, retrieve, seek } from './items.ts'
import { partialItems } from './refuse.ts'
import { call, output } from './write.ts'

/** A number of tokens that no default is likely to be. */
const tokens = 77

const reference = (id: string): JsonObject => ({ type: 'item_reference', id })

/** Messages of the other roles, as "a complete conversation item" may be one. */
const told: readonly JsonObject[] = [
  { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
  { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Three miles.' }] },
]

/** Positive controls of later refusals. */
export interface Controls {
  readonly reference: Condition
  /** The item that was referred to. */
  readonly item: string
  /** An item that was whole. */
  readonly whole: Condition
  readonly tokens: Condition
  readonly tools: Condition
}

/** Starts a response, whose fields must be taken; the next one interrupts it. */
async function takes<R extends Row>(
  talk: Talk<R>,
  row: R,
  response: JsonObject,
  given: readonly Condition[] = [],
): Promise<Started> {
  return start(talk, response, ({ started }) => talk.claim(row, started, { given }))
}

/** "Clients and servers ignore fields they do not recognize": in tools, references and items too. */
const takeStrewn = claiming({ message: 'unknown-nested-field-ignored' }).step(
  async (talk, fields: readonly (readonly [response: JsonObject, control: readonly Condition[]])[]) => {
    for (const [response, control] of fields) {
      await start(talk, strewn(response), ({ started }) => ({
        'message.unknown-nested-field-ignored': onlyIf(control, started),
      }))
    }
  },
)

/** What is left out is not shown. */
const isAbsentOr = (one: Operand, number: number): Condition => any(equals(one, absent), equals(one, value(number)))

/** "apply only to this response": the next one does not show the same number. */
const takeTokens = claiming({
  'response-create': [
    'max-output-tokens-accepted max-output-tokens-shown max-output-tokens-this-response-only',
    'max-output-tokens-inf-accepted conversation-auto-accepted',
  ],
}).step(async (talk): Promise<Condition> => {
  const shown = ({ created, done }: Asked) =>
    [inEvent(created, '/response/max_output_tokens'), inEvent(done, '/response/max_output_tokens')] as const
  // The end that comes next may be that of a response which was interrupted.
  const isOther = ({ created, done }: Asked) =>
    different(inEvent(done, '/response/id'), inEvent(created, '/response/id'))
  const showsTokens = (asked: Asked) => any(...shown(asked).map((one) => equals(one, value(tokens))))
  const shows = (asked: Asked, isFit: (one: Operand) => Condition) => {
    const [atFirst, atLast] = shown(asked)
    return all(isFit(atFirst), any(isOther(asked), isFit(atLast)))
  }
  const isTokens = (one: Operand) => isAbsentOr(one, tokens)
  const isSome = (one: Operand) => different(one, oneOf(0, -1))
  const showsAny = (asked: Asked) => any(...shown(asked).map((one) => different(one, absent)))
  const counted = await start(talk, { max_output_tokens: tokens }, (asked) => ({
    'response-create.max-output-tokens-accepted': asked.started,
    'response-create.max-output-tokens-shown': onlyIf([asked.started, showsAny(asked)], shows(asked, isTokens)),
  }))
  // A request that waits keeps its own number ("snapshots … response fields").
  const later = { max_output_tokens: tokens + 1, scheduling_policy: 'after_current_response' }
  await start(talk, later, (asked) => ({
    'response-create.max-output-tokens-shown': onlyIf(
      [asked.started, showsAny(asked)],
      shows(asked, (one) => isAbsentOr(one, tokens + 1)),
    ),
  }))
  await quiet(talk)
  await start(talk, { conversation: 'auto' }, (asked) => {
    const other = all(...shown(asked).map((one) => different(one, oneOf(tokens, tokens + 1))))
    return {
      'response-create.conversation-auto-accepted': asked.started,
      'response-create.max-output-tokens-this-response-only': onlyIf([showsTokens(counted), asked.started], other),
    }
  })
  // A service may show the most that it makes; that is never nothing.
  await start(talk, { max_output_tokens: 'inf' }, (asked) => ({
    'response-create.max-output-tokens-inf-accepted': asked.started,
    'response-create.max-output-tokens-shown': onlyIf([asked.started, showsAny(asked)], shows(asked, isSome)),
  }))
  return counted.started
})

/** Where tool calls are not offered, a target that refuses tools may be right. */
const takeTools = claiming({ 'response-create': 'tools-accepted tools-full-accepted tools-empty-accepted' }).step(
  async (talk): Promise<Condition> => {
    const offered = talk.context.offers('tool_calls')
    const take = (
      row: Extract<Row, `response-create.tools-${string}-accepted` | 'response-create.tools-accepted'>,
      tools: readonly JsonObject[],
    ) =>
      start(talk, { tools }, ({ started }) =>
        talk.claim(row, started, offered ? {} : { given: [started], choice: true }),
      )
    const bare = await take('response-create.tools-accepted', [{ type: 'function', name: 'look_around' }])
    await take('response-create.tools-full-accepted', [lookUp])
    await take('response-create.tools-empty-accepted', [])
    return bare.started
  },
)

/** Each field by itself, each response made to begin and no more. */
export const takeFields = claiming(
  {
    'response-create': [
      'input-item-reference-accepted input-item-accepted input-mixed-accepted input-empty-accepted',
      'instructions-accepted',
    ],
  },
  takeTokens,
  takeTools,
  takeStrewn,
  sendUnknown,
).step(async (talk, known: string): Promise<Controls> => {
  const written = await makeItem(talk, userMessage('What is the best time to visit?'))
  const [id, given, item] = [written.id ?? known, [written.confirmed], userMessage('How far is it?')]
  const named = await takes(talk, 'response-create.input-item-reference-accepted', { input: [reference(id)] }, given)
  await sendUnknown(talk)
  const whole = await takes(talk, 'response-create.input-item-accepted', { input: [item] })
  const call_id = talk.context.id('call')
  const turns = talk.context.offers('tool_calls') ? [item, call({ call_id }), output(call_id)] : [item, item]
  await takes(talk, 'response-create.input-item-accepted', { input: turns })
  await takes(talk, 'response-create.input-item-accepted', { input: [item, ...told, item] })
  await takes(talk, 'response-create.input-mixed-accepted', { input: [reference(id), item] }, given)
  await takes(
    talk,
    'response-create.input-item-reference-accepted',
    { conversation: 'none', input: [reference(known), reference(id)] },
    given,
  )
  const own = { conversation: 'none', scheduling_policy: 'interrupt', instructions: 'Say hello.' }
  await takes(talk, 'response-create.input-empty-accepted', { input: [], ...own })
  await takes(talk, 'response-create.instructions-accepted', { instructions: 'Answer in one short sentence.' })
  const counted = await takeTokens(talk)
  const tools = await takeTools(talk)
  await takeStrewn(talk, [
    [{ input: [reference(id)] }, [...given, named.started]],
    [{ input: [item] }, [whole.started]],
    [{ tools: [lookUp] }, [tools]],
  ])
  await quiet(talk)
  return { reference: named.started, item: id, whole: whole.started, tokens: counted, tools }
})

const fieldFaults = [
  ['response-create.conversation-unknown-rejected', { conversation: 'default' }],
  ['response-create.scheduling-policy-unknown-rejected', { scheduling_policy: 'whenever' }],
  ['response-create.max-output-tokens-other-string-rejected', { max_output_tokens: 'plenty' }],
] as const

/** A faulty tool between two that are whole. */
const amid = (tool: JsonObject): JsonObject => ({ tools: [lookUp, tool, { type: 'function', name: 'look_away' }] })

const toolFaults = [
  ['response-create.tools-mcp-rejected', { tools: [{ type: 'mcp', name: 'archive', server_label: 'archive' }] }],
  ['response-create.tools-mcp-rejected', amid({ type: 'mcp', name: 'archive' })],
  ['response-create.tools-other-type-rejected', amid({ type: 'web_search', name: 'search' })],
  ['response-create.tools-name-missing-rejected', amid({ type: 'function', description: 'Nameless.' })],
  ['response-create.tools-type-missing-rejected', amid({ name: 'look_around' })],
] as const

const inputFaults = (unknown: JsonObject, known: JsonObject, gone: JsonObject) =>
  [
    ['response-create.input-unknown-reference-rejected', [unknown]],
    ['response-create.input-unknown-reference-rejected', [known, unknown, userMessage('Hello.')]],
    ['response-create.input-deleted-reference-rejected', [gone]],
    ['response-create.input-reference-id-missing-rejected', [{ type: 'item_reference' }]],
  ] as const

/** A whole item beside one that never existed: what is refused writes neither. */
const refuseWhole = claiming({ 'response-create': 'input-unknown-reference-rejected rejected-writes-nothing' }).step(
  async (talk, unknown: JsonObject, { reference: given, item: known }: Controls) => {
    const id = talk.context.id('inline')
    const input = [{ id, ...userMessage('Hello.') }, unknown]
    const rejected = 'response-create.input-unknown-reference-rejected'
    const { owned } = await refuseResponse(talk, { input }, { rejected, given: [given], late: true })
    await seek(talk, id, known, ({ unseen }) => ({
      'response-create.rejected-writes-nothing': onlyIf([given, owned], unseen),
    }))
  },
)

/** Whatever is wrong with a field. */
export const refuseFields = claiming(
  {
    'response-create':
      'input-unknown-reference-rejected input-deleted-reference-rejected input-reference-id-missing-rejected',
  },
  refuseWhole,
  rowsIn([...fieldFaults, ...toolFaults, ...partialItems]),
).step(async (talk, controls: Controls) => {
  const unknown = reference(talk.context.id('unknown-item'))
  const gone = reference(await forget(talk))
  for (const [rejected, response] of fieldFaults) {
    await refuseResponse(talk, response, { rejected, given: [controls.tokens] })
  }
  const choice = !talk.context.offers('tool_calls')
  for (const [rejected, response] of toolFaults) {
    await refuseResponse(talk, response, { rejected, given: [controls.tools], choice })
  }
  await refuseWhole(talk, unknown, controls)
  for (const [rejected, input] of inputFaults(unknown, reference(controls.item), gone)) {
    await refuseResponse(talk, { input }, { rejected, given: [controls.reference], late: true })
  }
  // "A complete conversation item": what makes one incomplete is the same wherever it stands.
  for (const [rejected, item] of partialItems) {
    const input = [userMessage('Hello.'), item]
    await refuseResponse(talk, { input }, { rejected, given: [controls.whole], late: true })
  }
})

/** Id of an item that was, and is no more. */
async function forget(talk: Talk): Promise<string> {
  const { id = '' } = await makeItem(talk, userMessage('Forget what I said.'))
  await remove(talk, id)
  return id
}

/** "Apply only to this response": the next one is written by default, and starts since that one is done. */
const writeAgain = claiming({ scheduling: 'idle-after-done', 'response-create': 'default-output-written' }).step(
  async (talk, aside: Finished) => {
    const next = await respond(talk, { scheduling_policy: 'reject_if_busy' }, (it) => ({
      'scheduling.idle-after-done': startsAfter(aside, it),
    }))
    if (next.itemId === undefined) return
    await hearAnnounced(talk, next.itemId)
    const said = wrote(talk, next)
    await retrieve(talk, next.itemId, (it) => ({
      'response-create.default-output-written': onlyIf(said, it.confirmed),
    }))
  },
)

/** What a model says is written to the conversation, or not; that it says something is its own choice. */
export const writeOutput = claiming(
  {
    'response-create': [
      'auto-output-written none-output-not-written input-item-reference-accepted',
      'conversation-none-accepted',
    ],
  },
  writeAgain,
).step(async (talk, known: string) => {
  await makeItem(talk, userMessage('Please say hello in one short sentence.'))
  const auto = await respond(talk, { conversation: 'auto' })
  const said = wrote(talk, auto)
  if (auto.itemId !== undefined) await hearAnnounced(talk, auto.itemId)
  const found = await retrieve(talk, auto.itemId ?? '', (it) => ({
    'response-create.auto-output-written': onlyIf(said, it.confirmed),
  }))
  await start(talk, { input: [reference(auto.itemId ?? '')] }, ({ started }) => ({
    'response-create.input-item-reference-accepted': onlyIf([said, found.confirmed], started),
  }))
  await quiet(talk)
  const aside = await respond(talk, { conversation: 'none' }, ({ started }) => ({
    'response-create.conversation-none-accepted': started,
  }))
  const spoke = wrote(talk, aside)
  await seek(talk, aside.itemId ?? '', known, ({ nothing, unseen }) => ({
    'response-create.none-output-not-written': onlyIf([found.confirmed, spoke], all(nothing, unseen)),
  }))
  await writeAgain(talk, aside)
})
