import type { Frame } from '#client/types'
import type { Condition, Pattern, Point } from '#trace/claim'
import { all, any, before, different, event, inEvent, value } from '#trace/conditions'
import { at as pick, type JsonObject, textAt } from '#trace/json'
import { add, speechAsset, speechTexts } from '../assets/additions.ts'
import { silentAudio } from '../assets/media.ts'
import { prose, speech, userMessage } from '../bodies.ts'
import { errorAbout } from '../error-about.ts'
import { stray } from '../events/stray.ts'
import { forRows, onlyIf } from '../expectation.ts'
import { makeItem, retrieve, retrieved } from '../items/items.ts'
import { cutGraceMs } from '../model/cut.ts'
import { rows } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { doneOf, eventOf } from './busy.ts'
import { type Asked, finish, quiet, respond, start, type Started, wasCut, whole } from './responses.ts'

/** The second attempt, with a longer text and at once, is for targets that had finished the first. */
const attempts = [
  { length: 4_800, waitsFor: ['response.output_text.delta', 'response.done'] },
  { length: 12_000, waitsFor: [] },
] as const

/** A speech that is refused is tried once more with half of its characters, down to so many. */
const shortestSpeech = 2_000

const deltaType = 'response.output_text.delta'
const delta = event(deltaType)

async function firstOf(talk: Talk, { start: begun }: Started, types: readonly string[]): Promise<Frame | undefined> {
  if (begun === undefined || types.length === 0) return undefined
  const patterns = types.map((type) => event(type))
  return talk.channel.next(patterns, { after: begun.frame, within_ms: talk.patience })
}

/** What a cancel leads to, as conditions. */
interface Cut {
  readonly asked: Asked
  /** Its `response.done`, by its id where that is known. */
  readonly end: Pattern
  readonly cancel: Point
  readonly id: string
  /** Item of the text, where a delta introduced it before the cancel. */
  readonly itemId: string | undefined
  /** The response was not done before the cancel was sent. */
  readonly active: Condition
  /** It had more to bring when a later event was confirmed. */
  readonly midway: Condition
  /** Its whole text never came; of what has no text that is known beforehand: it does not say that it is completed. */
  readonly short: Condition
  readonly ended: Condition
  /** It either was cut short or had more text to come when a later event was long confirmed: the cancel came in time. */
  readonly inTime: readonly Condition[]
  /** Where it is short, its text is. */
  readonly cutsText: boolean
  /** Nothing of another response may come after its start. */
  readonly alone: boolean
}

interface Facts {
  /** Its whole text, where that is known beforehand. */
  readonly text?: string
  /** Whether it brings text. */
  readonly silent?: boolean
  readonly cancel: Point
  readonly id: string
  readonly known: string
  readonly first: Frame | undefined
  readonly alone?: boolean
}

function cutOf(
  talk: Talk,
  asked: Started,
  { text, silent = false, cancel, id, known, first, alone = true }: Facts,
): Cut {
  const { created, at } = asked
  const responseId = textAt(asked.start?.data, '/response/id')
  const end = doneOf(responseId)
  const done = talk.event(end, { event: created })
  const heard = talk.event(event(retrieved, { '/item/id': known }), cancel)
  // Text of the next response says nothing of this one, whose end may be told late.
  const own = eventOf(deltaType, responseId)
  const late = talk.event(own, { event: heard, plus_ms: cutGraceMs })
  const goesOn = before(silent ? { event: heard, plus_ms: cutGraceMs } : { event: late }, { event: done })
  const active = talk.never(end, { event: created }, cancel)
  const uncompleted = different(inEvent(done, '/response/status'), value('completed'))
  const short = text === undefined ? uncompleted : talk.never(whole(text), at, { event: done })
  return {
    asked: { ...asked, done },
    end,
    cancel,
    id,
    itemId: textAt(first?.data, '/item_id'),
    active,
    midway: text === undefined ? goesOn : talk.never(whole(text), at, { event: heard }),
    short,
    ended: wasCut({ done }),
    inTime: [active, any(short, goesOn)],
    cutsText: text !== undefined,
    alone,
  }
}

/** A cancelled response leaves the session idle. */
const speakAfter = claiming({ 'response-cancel': 'frees-session' }).step(async (talk, cancelled: Asked) => {
  const response = speech('Where were we?', { scheduling_policy: 'reject_if_busy' })
  await respond(talk, response, ({ started }) => ({
    'response-cancel.frees-session': onlyIf(wasCut(cancelled), started),
  }))
})

const expectCancel = claiming({
  'response-cancel': 'active-ends active-cut-short status known-type',
  'response-done': 'final-statuses-told completed-text-whole',
  'output-item-done': 'on-cancelled cut-not-completed',
}).step(async (talk, cut: Cut) => {
  const { asked, end, cancel, id, itemId, active, midway, short, ended, inTime, cutsText, alone } = cut
  const [from, until] = [{ event: asked.created }, { event: asked.done }]
  const untrue = onlyIf([active, short], different(inEvent(asked.done, '/response/status'), value('completed')))
  const unknown = errorAbout(id)
  const introduced = before({ event: talk.event(delta, from) }, until)
  // The item of a cancelled response is finished, and not as a whole one.
  const told = talk.leads(['response.output_item.done', 'response.done'], from)
  const where = itemId === undefined ? {} : { '/item/id': itemId }
  const wholeItem = event('response.output_item.done', { ...where, '/item/status': 'completed' })
  talk.expect({
    'response-cancel.active-ends': onlyIf([active, midway], talk.inTime(end, cancel, talk.after(2))),
    'response-cancel.active-cut-short': onlyIf(inTime, short),
    'response-cancel.status': onlyIf([active, short], ended),
    'response-done.final-statuses-told': untrue,
    'response-done.completed-text-whole': untrue,
    'response-cancel.known-type': onlyIf(inTime, any(all(short, ended), talk.never(unknown, cancel, until))),
    'output-item-done.on-cancelled': alone ? onlyIf([introduced, active, ended], told) : undefined,
    // The text of what else was cancelled may have been whole, while it was still rendered.
    'output-item-done.cut-not-completed':
      cutsText && alone ? onlyIf([introduced, active, short, ended], talk.never(wholeItem, from, until)) : undefined,
  })
})

/** Starts a long speech, or a shorter one where the target does not take a text that is so long: its bounds are not shown. */
async function startLong(talk: Talk, length: number, extra?: JsonObject): Promise<{ text: string; started: Started }> {
  const text = prose(length)
  const started = await start(talk, speech(text, extra))
  return started.start !== undefined || length < shortestSpeech ? { text, started } : startLong(talk, length / 2, extra)
}

const optional = rows({ message: 'unknown-field-ignored event-id-optional' })

/** A speech that is to be cancelled, and how. */
interface Way {
  /** What comes before it. */
  readonly before?: string
  /** Registers a text of so many characters, which is spoken in place of one that is said by itself. */
  readonly register?: (length: number) => Promise<{ readonly id: string; readonly text: string }>
  /** What else it is asked for with. */
  readonly extra?: JsonObject
  /** A cancel that is otherwise than others, why it is as good, and what shows that those cancel. */
  readonly cancel?: {
    readonly fields: (id: string) => JsonObject
    readonly row: (typeof optional)[number]
    readonly control: Condition
  }
}

/**
 * Cancels a long speech in its midst, and tries again with a longer one where the target had finished already.
 *
 * @param known an item of the conversation; its retrieval shows that the cancel was read
 * @returns that it was cut short
 */
export const cancelSpeech = claiming({}, expectCancel, speakAfter, optional).step(
  async (talk, known: string, { before: ahead, register, extra, cancel: other }: Way = {}): Promise<Condition> => {
    const cuts: Condition[] = []
    for (const { length, waitsFor } of attempts) {
      const asset = await register?.(length)
      if (ahead !== undefined) await start(talk, speech(ahead))
      const { text, started } =
        asset === undefined
          ? await startLong(talk, length, extra)
          : { text: asset.text, started: await start(talk, speechAsset(asset.id, extra)) }
      if (started.start === undefined) break
      const first = await firstOf(talk, started, waitsFor)
      const cancel = talk.coming
      const id = talk.context.id('cancel')
      const alone = ahead === undefined
      const cut = cutOf(talk, started, { text, cancel, id, known, first, alone })
      // The end of what came before may come after the start of this one: only ids tell them apart.
      if (alone || textAt(started.start?.data, '/response/id') !== undefined) {
        await expectCancel(talk, cut)
        if (other !== undefined) talk.expect(forRows(other.row, onlyIf([...cut.inTime, other.control], cut.short)))
      }
      talk.send({ type: 'response.cancel', ...(other === undefined ? { event_id: id } : other.fields(id)) })
      cuts.push(all(cut.active, cut.short, cut.ended))
      await retrieve(talk, known)
      const { end } = await finish(talk, started)
      await quiet(talk)
      await speakAfter(talk, started)
      if (pick(end?.data, '/response/status') !== 'completed') break
    }
    return any(...cuts)
  },
)

/** A registered text that is out of band and interrupted another is cancelled as well, and so is what had waited. */
export const cancelOthers = claiming({}, cancelSpeech).step(async (talk, known: string, control: Condition) => {
  await cancelSpeech(talk, known, {
    before: prose(2_400),
    register: async (length) => {
      const [id, text] = [talk.context.id('tale'), prose(length)]
      await add(talk, 'asset.add', speechTexts({ [id]: text }))
      return { id, text }
    },
    extra: { conversation: 'none' },
    cancel: {
      fields: (event_id) => ({ event_id, ...stray }),
      row: 'message.unknown-field-ignored',
      control,
    },
  })
  await cancelSpeech(talk, known, {
    before: prose(400),
    extra: { scheduling_policy: 'after_current_response' },
    cancel: { fields: () => ({}), row: 'message.event-id-optional', control },
  })
})

/** What else can be cancelled; the text of none of these is known beforehand. */
interface Other {
  readonly response: JsonObject
  /** What shows that it is in its midst. */
  readonly waitsFor: string
  readonly silent?: boolean
}

const longReply: Other = {
  response: { instructions: 'Tell a story of at least five hundred words.' },
  waitsFor: deltaType,
}

/** An action that would go on for some seconds. */
const longAction: Other = {
  response: { script: { visual: { prompt: 'Waves for a long time.', duration_ms: 4_000 } } },
  waitsFor: 'response.render.started',
  silent: true,
}

const cancelOther = claiming({}, expectCancel, speakAfter).step(
  async (talk, known: string, { response, waitsFor, silent = false }: Other) => {
    const started = await start(talk, response)
    if (started.start === undefined) return
    const first = await firstOf(talk, started, [waitsFor, 'response.done'])
    const cancel = talk.coming
    const id = talk.context.id('cancel')
    await expectCancel(talk, cutOf(talk, started, { silent, cancel, id, known, first }))
    talk.send({ type: 'response.cancel', event_id: id })
    await retrieve(talk, known)
    await finish(talk, started)
    await quiet(talk)
    await speakAfter(talk, started)
  },
)

/** Cancels a reply of the model in its midst. */
export const cancelReply = claiming({}, cancelOther).step(async (talk, known: string) => {
  await makeItem(talk, userMessage('Please tell me a long story.'))
  await cancelOther(talk, known, longReply)
})

/** Audio that would go on for a while; a message need not be longer than it has to be. */
const longAudio = (): Other => ({
  response: silentAudio(2.2),
  waitsFor: 'response.render.started',
  silent: true,
})

/** Cancels what is rendered and brings no text. */
export const cancelAction = claiming({}, cancelOther).step(async (talk, known: string) => {
  await cancelOther(talk, known, longAction)
  await cancelOther(talk, known, longAudio())
})
