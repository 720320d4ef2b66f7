import type { AnyContext as Context } from '#scenario/author/context'
import { absent, all, different, echoes, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import type { Condition, Point } from '#trace/claim'
import type { Json, JsonObject } from '#trace/json'
import { textIn } from '../responses/busy.ts'
import { created, retrieve } from './items.ts'
import { silence } from '../assets/media.ts'
import { refuse } from '../refusals.ts'
import type { Row } from '../rows.ts'
import { errorsNaming } from '../error-about.ts'
import type { ClaimOptions, Said, Talk } from '../talk.ts'

/** An item that was asked for; the target may have refused it. */
export interface Written {
  readonly id: string | undefined
  readonly confirmed: Condition
}

export interface WriteOptions extends ClaimOptions {
  readonly rows?: readonly Row[]
  /** What the confirmation must show of it; default: nothing. */
  readonly shown?: JsonObject
  /** More members of the event. */
  readonly beside?: JsonObject
  readonly write?: (said: Said) => void
}

/** Creates an item; a refusal keeps nobody waiting. */
export async function writeItem(talk: Talk, item: JsonObject, options: WriteOptions = {}): Promise<Written> {
  const { rows = [], shown, beside = {}, write } = options
  const at = talk.coming
  const match = event(created)
  const answer = talk.event(match, at)
  const id = talk.context.id('item-create')
  const confirmed = talk.inTime(match, at, undefined, { instead: errorsNaming(id) })
  const kept = shown === undefined ? [] : [echoes(inEvent(answer, '/item'), value(shown))]
  talk.claim(rows, all(confirmed, ...kept), options)
  write?.({ at, answer, confirmed })
  const frame = talk.send({ type: 'conversation.item.create', event_id: id, item, ...beside })
  const reply = await talk.hearRefusal(id, frame, [match], 'item')
  if (reply?.type === 'error') await talk.hear(match, frame, 'refused item')
  return { id: reply?.type === created ? textIn(reply, '/item/id') : undefined, confirmed }
}

/** An item of some kind, which is retrieved as it was created. */
async function keepItem(talk: Talk, item: JsonObject, options: WriteOptions): Promise<Written> {
  const written = await writeItem(talk, item, options)
  const kind = ['type', 'role'].flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]] as const]))
  if (written.id === undefined) return written
  await retrieve(talk, written.id, (it) => {
    const shown = echoes(inEvent(it.answer, '/item'), value(Object.fromEntries(kind)))
    talk.claim('item-retrieve.content', all(it.confirmed, shown), { given: [written.confirmed] })
  })
  return written
}

const message = (role: string, ...content: readonly JsonObject[]): JsonObject => ({ type: 'message', role, content })
const inputText = (text: string): JsonObject => ({ type: 'input_text', text })

/** A call of a function, as a model may make it. */
export const call = (extra: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  name: 'look_up',
  arguments: '{"topic":"weather"}',
  ...extra,
})

export const output = (call_id: string, extra: JsonObject = {}): JsonObject => ({
  type: 'function_call_output',
  call_id,
  output: '{"weather":"sunny"}',
  ...extra,
})

/** What later refusals lean on. */
export interface Twins {
  readonly text: Condition
  readonly call: Condition
  readonly output: Condition
  /** Only where the profile names an image. */
  readonly image: Condition | undefined
}

/** Items of every kind. */
export async function writeEach(talk: Talk): Promise<Twins> {
  const system = message('system', inputText('Be kind.'))
  const text = await keepItem(talk, system, { rows: ['item-create.system-text-accepted'], shown: system })
  const assistant = message('assistant', { type: 'text', text: 'How can I help you?' })
  await keepItem(talk, assistant, { rows: ['item-create.assistant-text-accepted'], shown: assistant })
  await writeParts(talk)
  for (const said of [{ transcript: 'Hello.' }, {}]) {
    const audio = message('user', { type: 'input_audio', audio: silence(0.1), ...said })
    await keepItem(talk, audio, { rows: ['item-create.input-audio-accepted'] })
  }
  const image = await writeImages(talk)
  const callId = talk.context.id('call')
  const called = await keepItem(talk, call({ call_id: callId }), {
    rows: ['item-create.function-call-accepted'],
    shown: { type: 'function_call', name: 'look_up' },
  })
  const answered = await keepItem(talk, output(callId), {
    rows: ['item-create.function-call-output-accepted'],
    shown: { type: 'function_call_output', call_id: callId },
    given: [called.confirmed],
  })
  await keepItem(talk, call(), { rows: ['item-create.function-call-without-call-id-accepted'] })
  return { text: text.confirmed, call: called.confirmed, output: answered.confirmed, image }
}

/** Several parts keep their order, and retrieving them changes nothing. */
async function writeParts(talk: Talk): Promise<void> {
  const parts = message('user', inputText('First this.'), inputText('Then that.'), inputText('And at last this.'))
  const row: Row = 'item-create.several-parts-accepted'
  const { id = '', confirmed } = await writeItem(talk, parts, { rows: [row], shown: parts })
  for (const rows of [[row], ['item-retrieve.changes-nothing'], ['item-retrieve.changes-nothing']] as const) {
    await retrieve(talk, id, (it) => {
      talk.claim(rows, all(it.confirmed, echoes(inEvent(it.answer, '/item'), value(parts))), { given: [confirmed] })
    })
  }
}

function imagePart({ profile }: Context, extra: JsonObject = {}): JsonObject | undefined {
  const image_url = profile.media?.image_url
  return image_url === undefined ? undefined : { type: 'input_image', image_url, ...extra }
}

async function writeImages(talk: Talk): Promise<Condition | undefined> {
  const plain = imagePart(talk.context)
  if (plain === undefined) return undefined
  await keepItem(talk, message('user', plain), {
    rows: ['item-create.input-image-accepted'],
    write: ({ answer, confirmed }) => {
      const shown = different(inEvent(answer, '/item/content/0/image_url'), absent)
      talk.claim('item.part-image-url-string', shown, { given: [confirmed], choice: true })
    },
  })
  let accepted: Condition | undefined
  for (const detail of ['auto', 'low', 'high']) {
    const item = message('user', { ...plain, detail })
    accepted = (await keepItem(talk, item, { rows: ['item-create.image-detail-accepted'] })).confirmed
  }
  return accepted
}

type Fault = readonly [row: Row, item: JsonObject]

const textFaults: readonly Fault[] = [
  ['item-create.unknown-type-rejected', { type: 'remark', role: 'user', content: [inputText('Hm.')] }],
  ['item-create.type-missing-rejected', { role: 'user', content: [inputText('Hm.')] }],
  ['item-create.unknown-role-rejected', message('narrator', inputText('Once upon a time.'))],
  ['item-create.unknown-part-type-rejected', message('user', { type: 'input_smell', text: 'Roses.' })],
  [
    'item-create.unknown-part-type-rejected',
    message('user', inputText('Well.'), { type: 'input_smell', text: 'Tar.' }, inputText('Yes.')),
  ],
  ['item-create.unknown-status-rejected', { ...message('user', inputText('Hm.')), status: 'forgotten' }],
]

const { name: _name, ...nameless } = call()
const { arguments: _arguments, ...bare } = call()

const callFaults: readonly Fault[] = [
  ['item-create.function-call-name-missing-rejected', nameless],
  ['item-create.function-call-arguments-missing-rejected', bare],
  ['item-create.function-call-arguments-object-rejected', call({ arguments: { topic: 'weather' } })],
]

const outputFaults = (callId: string): readonly Fault[] => [
  ['item-create.function-call-output-call-id-missing-rejected', { type: 'function_call_output', output: '{}' }],
  ['item-create.function-call-output-output-missing-rejected', { type: 'function_call_output', call_id: callId }],
]

/** Whatever is wrong with an item. */
export async function refuseItems(talk: Talk, twins: Twins): Promise<void> {
  const callId = talk.context.id('call')
  const { confirmed } = await writeItem(talk, call({ call_id: callId }))
  await refuseEach(talk, textFaults, [twins.text])
  await refuseEach(talk, callFaults, [twins.call])
  await refuseEach(talk, outputFaults(callId), [twins.output, confirmed])
  const odd = imagePart(talk.context, { detail: 'blurred' })
  if (odd === undefined || twins.image === undefined) return
  await refuseEach(talk, [['item-create.image-detail-unknown-rejected', message('user', odd)]], [twins.image])
}

async function refuseEach(talk: Talk, faults: readonly Fault[], given: readonly Condition[]): Promise<void> {
  for (const [row, item] of faults) {
    await refuse(talk, {
      rows: [row],
      message: { type: 'conversation.item.create', item },
      confirmation: created,
      given,
      ...(row === 'item-create.unknown-status-rejected' ? { spared: (at) => setsStatus(talk, at) } : {}),
      write: ({ rejected, unconfirmed }) => {
        const options = { given: [...given, rejected], choice: true }
        talk.claim('item-create.rejected-not-confirmed', unconfirmed, options)
      },
    })
  }
}

/** `status` is "usually server-set" (2.9): then what the client says of it is of no weight. */
function setsStatus(talk: Talk, at: Point): Condition {
  return equals(
    inEvent(talk.event(event(created), at), '/item/status'),
    oneOf('completed', 'incomplete', 'in_progress'),
  )
}

/** Events that name no item. */
export async function refuseNameless(talk: Talk, twin: Condition): Promise<void> {
  const retrieveNone = { type: 'conversation.item.retrieve' }
  const deleteNone = { type: 'conversation.item.delete' }
  for (const [row, nothing, confirmation] of [
    ['item-retrieve.item-id-missing-rejected', retrieveNone, 'conversation.item.retrieved'],
    ['item-delete.item-id-missing-rejected', deleteNone, 'conversation.item.deleted'],
  ] as const) {
    await refuse(talk, { rows: [row], message: nothing, confirmation, given: [twin] })
  }
}

/** The item that an event shows comes after this one, or nothing is said of its place. */
export const follows = (said: Said, ...ids: readonly (string | null)[]): Condition =>
  equals(inEvent(said.answer, '/previous_item_id'), oneOf(...ids))

/** The item that an event shows does not come after this one. */
export const followsNot = (said: Said, id: Json): Condition =>
  different(inEvent(said.answer, '/previous_item_id'), value(id))
