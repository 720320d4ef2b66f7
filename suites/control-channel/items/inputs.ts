import type { Condition, EventRef } from '#trace/claim'
import { absent, all, any, before, different, equals, event, inEvent, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { lookUp, userMessage } from '../bodies.ts'
import { makeItem, remove, retrieve, seek } from './items.ts'
import { failsLate, refuse } from '../refusals.ts'
import { type Asked, type Finished, onceDone, quiet, respond, start } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import { hearAnnounced } from '../speech/speeches.ts'
import type { Talk } from '../talk.ts'

/** A number of tokens that no default is likely to be. */
const tokens = 77

const reference = (id: string): JsonObject => ({ type: 'item_reference', id })

/** What later refusals lean on. */
export interface Twins {
  readonly reference: Condition
  /** The item that was referred to. */
  readonly item: string
  readonly tokens: Condition
  readonly tools: Condition
}

/** Starts a response, whose fields must be taken; the next one interrupts it. */
async function takes(
  talk: Talk,
  row: Row,
  response: JsonObject,
  write?: (asked: Asked) => void,
  given: readonly Condition[] = [],
): Promise<Condition> {
  const { started } = await start(talk, response, (asked) => {
    talk.claim(row, asked.started, { given })
    write?.(asked)
  })
  return started
}

/** Each field by itself, each response made to begin and no more. */
export async function takeFields(talk: Talk, known: string): Promise<Twins> {
  const written = await makeItem(talk, userMessage('What is the best time to visit?'))
  const [id, given] = [written.id ?? known, [written.confirmed]]
  const item = userMessage('How far is it?')
  const named = await takes(
    talk,
    'response-create.input-item-reference-accepted',
    { input: [reference(id)] },
    undefined,
    given,
  )
  await takes(talk, 'response-create.input-item-accepted', { input: [item] })
  await takes(talk, 'response-create.input-mixed-accepted', { input: [reference(id), item] }, undefined, given)
  await takes(talk, 'response-create.input-empty-accepted', { input: [], instructions: 'Say hello.' })
  await takes(talk, 'response-create.instructions-accepted', { instructions: 'Answer in one short sentence.' })
  const counted = await takeTokens(talk)
  const tools = await takeTools(talk)
  await quiet(talk)
  return { reference: named, item: id, tokens: counted, tools }
}

/** Where tool calls are not offered, a target that refuses tools may be right. */
async function takeTools(talk: Talk): Promise<Condition> {
  const offered = talk.context.offers('tool_calls')
  const take = async (row: Row, tools: readonly JsonObject[]): Promise<Condition> => {
    const { started } = await start(talk, { tools }, (asked) => {
      const options = offered ? {} : { given: [asked.started], choice: true }
      talk.claim(row, asked.started, options)
    })
    return started
  }
  const bare = await take('response-create.tools-accepted', [{ type: 'function', name: 'look_around' }])
  await take('response-create.tools-full-accepted', [lookUp])
  await take('response-create.tools-empty-accepted', [])
  return bare
}

/** "apply only to this response": the next one does not show the same number. */
async function takeTokens(talk: Talk): Promise<Condition> {
  const shows = (one: EventRef) => inEvent(one, '/response/max_output_tokens')
  const max_output_tokens = tokens
  let shown: Condition = all()
  const counted = await takes(talk, 'response-create.max-output-tokens-accepted', { max_output_tokens }, (asked) => {
    shown = any(...[asked.created, asked.done].map((one) => equals(shows(one), value(tokens))))
    const present = any(...[asked.created, asked.done].map((one) => different(shows(one), absent)))
    const told = { given: [asked.started, present], choice: true }
    talk.claim('response-create.max-output-tokens-shown', shown, told)
  })
  await quiet(talk)
  await takes(talk, 'response-create.conversation-auto-accepted', { conversation: 'auto' }, (asked) => {
    const options = { given: [shown, asked.started], choice: true }
    const other = all(...[asked.created, asked.done].map((one) => different(shows(one), value(tokens))))
    talk.claim('response-create.max-output-tokens-this-response-only', other, options)
  })
  await takes(talk, 'response-create.max-output-tokens-inf-accepted', { max_output_tokens: 'inf' })
  return counted
}

type Fault = readonly [row: Row, response: JsonObject]

const fieldFaults: readonly Fault[] = [
  ['response-create.conversation-unknown-rejected', { conversation: 'default' }],
  ['response-create.scheduling-policy-unknown-rejected', { scheduling_policy: 'whenever' }],
]

const tokenFaults: readonly Fault[] = [
  ['response-create.max-output-tokens-other-string-rejected', { max_output_tokens: 'plenty' }],
]

/** A faulty tool between two that are whole. */
const amid = (tool: JsonObject): JsonObject => ({ tools: [lookUp, tool, { type: 'function', name: 'look_away' }] })

const toolFaults: readonly Fault[] = [
  ['response-create.tools-mcp-rejected', { tools: [{ type: 'mcp', name: 'archive', server_label: 'archive' }] }],
  ['response-create.tools-mcp-rejected', amid({ type: 'mcp', name: 'archive' })],
  ['response-create.tools-other-type-rejected', amid({ type: 'web_search', name: 'search' })],
  ['response-create.tools-name-missing-rejected', amid({ type: 'function', description: 'Nameless.' })],
  ['response-create.tools-type-missing-rejected', amid({ name: 'look_around' })],
]

/** Whatever is wrong with a field. */
export async function refuseFields(talk: Talk, twins: Twins): Promise<void> {
  const unknown = reference(talk.context.id('unknown-item'))
  const gone = reference(await forget(talk))
  await refuseEach(talk, fieldFaults, twins.tokens)
  await refuseEach(talk, tokenFaults, twins.tokens)
  await refuseEach(talk, toolFaults, twins.tools, !talk.context.offers('tool_calls'))
  await refuseEach(
    talk,
    [
      ['response-create.input-unknown-reference-rejected', { input: [unknown] }],
      ['response-create.input-unknown-reference-rejected', { input: [userMessage('Hello.'), unknown] }],
      [
        'response-create.input-unknown-reference-rejected',
        { input: [reference(twins.item), unknown, userMessage('Hello.')] },
      ],
      ['response-create.input-deleted-reference-rejected', { input: [gone] }],
      ['response-create.input-reference-id-missing-rejected', { input: [{ type: 'item_reference' }] }],
    ],
    twins.reference,
  )
}

/** Id of an item that was, and is no more. */
async function forget(talk: Talk): Promise<string> {
  const { id = '' } = await makeItem(talk, userMessage('Forget what I said.'))
  await remove(talk, id)
  return id
}

async function refuseEach(talk: Talk, faults: readonly Fault[], twin: Condition, choice = false): Promise<void> {
  for (const [row, response] of faults) {
    const message = { type: 'response.create', response }
    const late = row.startsWith('response-create.input-') ? { spared: failsLate(talk) } : {}
    await refuse(talk, { rows: [row], message, confirmation: 'response.created', given: [twin], choice, ...late })
    await quiet(talk)
  }
}

const wroteText = event('response.output_item.done', {
  '/item/type': 'message',
  '/item/content/0/text': { $present: true, $not: '' },
})

/** What a model says is written to the conversation, or not; that it says something is its own choice. */
export async function writeOutput(talk: Talk, known: string): Promise<void> {
  await makeItem(talk, userMessage('Please say hello in one short sentence.'))
  const auto = await respond(talk, { conversation: 'auto' })
  const wrote = talk.eventually(wroteText, auto.at)
  const found = await retrieve(talk, auto.itemId ?? '', (it) => {
    talk.claim('response-create.auto-output-written', it.confirmed, { given: [wrote], choice: true })
  })
  const aside = await respond(talk, { conversation: 'none' })
  const spoke = talk.eventually(wroteText, aside.at)
  await seek(talk, aside.itemId ?? '', known, ({ nothing, unseen }) => {
    const options = { given: [found.confirmed, spoke], choice: true }
    talk.claim('response-create.none-output-not-written', all(nothing, unseen), options)
  })
  await writeAgain(talk, aside)
}

/** "Apply only to this response": the next one is written by default, and starts since that one is done. */
async function writeAgain(talk: Talk, aside: Finished): Promise<void> {
  const next = await respond(talk, { scheduling_policy: 'reject_if_busy' }, (it) => {
    talk.claim('scheduling.idle-after-done', it.started, onceDone(aside, it))
  })
  if (next.itemId === undefined) return
  await hearAnnounced(talk, next.itemId)
  const wrote = before({ event: talk.event(wroteText, { event: next.created }) }, { event: next.done })
  await retrieve(talk, next.itemId, (it) => {
    talk.claim('response-create.default-output-written', it.confirmed, { given: [wrote], choice: true })
  })
}
