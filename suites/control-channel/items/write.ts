import type { Context } from '#scenario/author/context'
import { absent, all, any, different, echoes, equals, event, inEvent, value } from '#trace/conditions'
import type { Condition } from '#trace/claim'
import { type JsonObject, textAt } from '#trace/json'
import { silence } from '../assets/media.ts'
import { prose } from '../bodies.ts'
import { errorsNaming } from '../error-about.ts'
import { type Expect, given, onlyIf, type Terms } from '../expectation.ts'
import { takesMore } from '../full.ts'
import type { Row, Rows } from '../rows.ts'
import { hasFailedOver, sayAgain } from '../say-again.ts'
import { claiming } from '../step.ts'
import type { Said, Talk } from '../talk.ts'
import { announcing, clientRoles, created, retrieve } from './items.ts'

/** An item that was asked for; it may have been refused. */
export interface Written {
  readonly id: string | undefined
  readonly confirmed: Condition
}

/** An item that was taken as it is. */
export type Taken = readonly [item: JsonObject, confirmed: Condition]

export interface WriteOptions<R extends Row> extends Terms {
  /** Rows that ask for it to be accepted. */
  readonly accepted?: Rows<R>
  /** What the confirmation must show of it; default: nothing. */
  readonly shown?: JsonObject
  /** More members of the event. */
  readonly beside?: JsonObject
  readonly expect?: Expect<R, Said>
}

/** An item as only clients make them: what is generated goes on where they may write nothing more. */
export const fromClient = event(created, { '/item/role': { $in: clientRoles } })

/** Creates an item; a refusal keeps nobody waiting. */
export async function writeItem<R extends Row>(
  talk: Talk<R>,
  item: JsonObject,
  options: WriteOptions<R> = {},
): Promise<Written> {
  const { accepted = [], shown, beside = {}, expect } = options
  const at = talk.coming
  const match = announcing(item)
  const answer = talk.event(match, at)
  const id = talk.context.id('item-create')
  const confirmed = talk.inTime(match, at, undefined, { instead: errorsNaming(id) })
  const kept = shown === undefined ? [] : [echoes(inEvent(answer, '/item'), value(shown))]
  // Behind what may be sent once more: a service that fails over it fails over that, too.
  const more = takesMore(talk, fromClient, confirmed, talk.after(2))
  talk.claim(accepted, all(confirmed, ...kept), { ...options, given: [...(options.given ?? []), more], choice: true })
  talk.expect(expect?.({ at, answer, confirmed }))
  const message = { type: 'conversation.item.create', event_id: id, item, ...beside }
  const since = talk.channel.frames.length
  const frame = talk.send(message)
  const reply = await talk.hearRefusal(id, frame, [match], 'item')
  if (reply?.type === created) return { id: textAt(reply.data, '/item/id'), confirmed }
  if (hasFailedOver(talk, message, since)) {
    return { id: textAt((await sayAgain(talk, message, match))?.data, '/item/id'), confirmed }
  }
  if (reply?.type === 'error') await talk.hear(match, frame, 'refused item')
  return { id: undefined, confirmed }
}

/** An item of some kind, which is retrieved as it was created. */
async function keepItem<R extends Row>(
  talk: Talk<R | 'item-retrieve.content'>,
  item: JsonObject,
  options: WriteOptions<R>,
): Promise<Written> {
  const written = await writeItem<R>(talk, item, options)
  const kind = ['type', 'role'].flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]] as const]))
  if (written.id === undefined) return written
  await retrieve<'item-retrieve.content'>(talk, written.id, (it) => {
    const shown = echoes(inEvent(it.answer, '/item'), value(Object.fromEntries(kind)))
    return { 'item-retrieve.content': given(written.confirmed, all(it.confirmed, shown)) }
  })
  return written
}

export const message = (role: string, ...content: readonly JsonObject[]): JsonObject => ({
  type: 'message',
  role,
  content,
})
export const inputText = (text: string): JsonObject => ({ type: 'input_text', text })

/** A call of a function, as a model may make it. */
export const call = (extra: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  name: 'lookUp',
  arguments: '{"topic":"weather"}',
  ...extra,
})

export const output = (call_id: string, extra: JsonObject = {}): JsonObject => ({
  type: 'function_call_output',
  call_id,
  // Any text, and none that would be tidied up.
  output: ' Sunny: 24° at {"noon": true}.\n',
  ...extra,
})

/** Positive controls of later refusals. */
export interface Controls {
  readonly text: Condition
  readonly call: Condition
  readonly output: Condition
  /** Only where the profile names an image. */
  readonly image: Condition | undefined
  /** Messages with parts of each kind. */
  readonly messages: readonly Taken[]
}

/** Several parts keep their order, and retrieving them changes nothing. */
const writeParts = claiming({ 'item-create': 'several-parts-accepted', 'item-retrieve': 'changes-nothing' }).step(
  async (talk) => {
    const parts = message(
      'user',
      inputText('First *this*, `one` of two.'),
      inputText('Then "that" &amp; don\'t stop: #1 -- [here](there).\r\n'),
      inputText('And at last this.'),
    )
    const row = 'item-create.several-parts-accepted'
    const { id = '', confirmed } = await writeItem(talk, parts, { accepted: row, shown: parts })
    for (const one of [row, 'item-retrieve.changes-nothing', 'item-retrieve.changes-nothing'] as const) {
      await retrieve(talk, id, (it) => {
        const kept = all(it.confirmed, echoes(inEvent(it.answer, '/item'), value(parts)))
        return talk.claim(one, kept, { given: [confirmed] })
      })
    }
  },
)

/** A text that is taken is taken whole, and so is what a function was asked and what it said; a rule judges the former. */
const writeLong = claiming({ 'item-create': 'content-kept', 'item-retrieve': 'content' }).step(async (talk) => {
  const kept =
    (long: JsonObject) =>
    ({ answer, confirmed }: Said) => ({
      'item-create.content-kept': onlyIf(confirmed, echoes(inEvent(answer, '/item'), value(long))),
    })
  const long = message('user', inputText(prose(9_000)))
  await writeItem(talk, long, { expect: kept(long) })
  const call_id = talk.context.id('call')
  await keepItem(talk, call({ call_id, arguments: JSON.stringify({ topic: prose(3_000) }) }), {})
  // JSON that nobody else would write so is a text like any other.
  const said = `{ "noon" : 24.0,\n  "verses": ${JSON.stringify(prose(9_000))} }`
  const answered = output(call_id, { output: said })
  await keepItem(talk, answered, { expect: kept(answered) })
})

export function imagePart({ profile }: Context, extra: JsonObject = {}): JsonObject | undefined {
  const image_url = profile.media?.image_url
  return image_url === undefined ? undefined : { type: 'input_image', image_url, ...extra }
}

const writeImages = claiming({
  'item-create': 'input-image-accepted image-detail-accepted content-kept',
  item: 'part-image-url-string',
  'item-retrieve': 'content',
}).step(async (talk): Promise<Condition | undefined> => {
  const plain = imagePart(talk.context)
  if (plain === undefined) return undefined
  await keepItem(talk, message('user', plain), {
    accepted: 'item-create.input-image-accepted',
    expect: ({ answer, confirmed }) => {
      const shown = different(inEvent(answer, '/item/content/0/image_url'), absent)
      return { 'item.part-image-url-string': onlyIf(confirmed, shown) }
    },
  })
  let accepted: Condition | undefined
  for (const detail of ['auto', 'low', 'high']) {
    const written = await keepItem(talk, message('user', { ...plain, detail }), {
      accepted: 'item-create.image-detail-accepted',
      expect: ({ answer, confirmed }) => {
        const shown = inEvent(answer, '/item/content/0/detail')
        const kept = any(equals(shown, absent), equals(shown, value(detail)))
        // What `auto` comes to is the service's own.
        return detail === 'auto' ? {} : { 'item-create.content-kept': onlyIf(confirmed, kept) }
      },
    })
    accepted = written.confirmed
  }
  return accepted
})

/** A function may have nothing to say; an output that is taken so is shown so. */
const writeEmptyOutput = claiming({ 'item-create': 'content-kept', 'item-retrieve': 'content' }).step(async (talk) => {
  const call_id = talk.context.id('call')
  await writeItem(talk, call({ call_id }))
  const empty = output(call_id, { output: '' })
  await keepItem(talk, empty, {
    expect: ({ answer, confirmed }) => ({
      'item-create.content-kept': onlyIf(confirmed, echoes(inEvent(answer, '/item'), value(empty))),
    }),
  })
})

/** Items of every kind. */
export const writeEach = claiming(
  {
    'item-create': [
      'system-text-accepted assistant-text-accepted input-audio-accepted function-call-accepted',
      'function-call-output-accepted function-call-without-call-id-accepted',
    ],
  },
  writeParts,
  writeLong,
  writeImages,
  writeEmptyOutput,
).step(async (talk): Promise<Controls> => {
  const system = message('system', inputText('  Be kind.\n'))
  const text = await keepItem(talk, system, { accepted: 'item-create.system-text-accepted', shown: system })
  const assistant = message('assistant', { type: 'text', text: 'How can I help you? "5%25 <b>more</b> &\t1+1" \\ 🦉' })
  await keepItem(talk, assistant, { accepted: 'item-create.assistant-text-accepted', shown: assistant })
  await writeParts(talk)
  await writeLong(talk)
  const audio = message('user', { type: 'input_audio', audio: silence(0.1), transcript: 'Hello.' })
  const heard = await keepItem(talk, audio, { accepted: 'item-create.input-audio-accepted' })
  const untold = message('user', { type: 'input_audio', audio: silence(0.1) })
  await keepItem(talk, untold, { accepted: 'item-create.input-audio-accepted' })
  const image = await writeImages(talk)
  const call_id = talk.context.id('call')
  const called = await keepItem(talk, call({ call_id }), {
    accepted: 'item-create.function-call-accepted',
    shown: { type: 'function_call', name: 'lookUp' },
  })
  const answered = await keepItem(talk, output(call_id), {
    accepted: 'item-create.function-call-output-accepted',
    shown: output(call_id),
    given: [called.confirmed],
  })
  await writeEmptyOutput(talk)
  await keepItem(talk, call(), { accepted: 'item-create.function-call-without-call-id-accepted' })
  const picture = imagePart(talk.context, { detail: 'high' })
  const messages: readonly Taken[] = [
    [system, text.confirmed],
    [audio, heard.confirmed],
    ...(picture === undefined || image === undefined ? [] : [[message('user', picture), image] as const]),
  ]
  return { text: text.confirmed, call: called.confirmed, output: answered.confirmed, image, messages }
})
