import type { Frame } from '#client/types'
import type { Condition, Pattern, Point } from '#trace/claim'
import { all, any, before, different, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import { at as pick } from '#trace/json'
import { prose, speech } from '../bodies.ts'
import { doneOf } from './busy.ts'
import { retrieve, retrieved } from '../items/items.ts'
import { type Asked, finish, quiet, start, type Started, whole } from './responses.ts'
import type { ClaimOptions, Talk } from '../talk.ts'

/** The second attempt, with a longer text and at once, is for targets that had finished the first. */
const attempts = [
  { length: 4_800, waitsFor: ['response.output_text.delta', 'response.done'] },
  { length: 12_000, waitsFor: [] },
] as const

/**
 * Text that still comes so long after a later event was confirmed shows that the `response.cancel` came in time and had no
 * effect yet, in milliseconds.
 */
const graceMs = 400

const deltaType = 'response.output_text.delta'
const delta = event(deltaType)

/**
 * Cancels a long speech in its midst, and tries again with a longer one where the target had finished already.
 *
 * @param known an item of the conversation; its retrieval shows that the cancel was read
 */
export async function cancelSpeech(talk: Talk, known: string): Promise<void> {
  for (const { length, waitsFor } of attempts) {
    const text = prose(length)
    const started = await start(talk, speech(text))
    const first = await firstOf(talk, started, waitsFor)
    const cancel = talk.coming
    const id = talk.context.id('cancel')
    claimCancel(talk, cutOf(talk, started, { text, cancel, id, known, first }))
    talk.send({ type: 'response.cancel', event_id: id })
    await retrieve(talk, known)
    const { end } = await finish(talk, started)
    await quiet(talk)
    await speakAfter(talk, started)
    if (pick(end?.data, '/response/status') !== 'completed') return
  }
}

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
  /** Its whole text had not come when a later event was confirmed. */
  readonly midway: Condition
  /** Its whole text never came. */
  readonly short: Condition
  readonly ended: Condition
  /** It either was cut short or had more text to come when a later event was long confirmed: the cancel came in time. */
  readonly inTime: ClaimOptions
}

interface Facts {
  readonly text: string
  readonly cancel: Point
  readonly id: string
  readonly known: string
  readonly first: Frame | undefined
}

function cutOf(talk: Talk, asked: Started, { text, cancel, id, known, first }: Facts): Cut {
  const { created, at } = asked
  const responseId = pick(asked.start?.data, '/response/id')
  const end = doneOf(typeof responseId === 'string' ? responseId : undefined)
  const done = talk.event(end, { event: created })
  const heard = talk.event(event(retrieved, { '/item/id': known }), cancel)
  // Text of the next response says nothing of this one, whose end may be told late.
  const own = typeof responseId === 'string' ? event(deltaType, { '/response_id': responseId }) : delta
  const late = talk.event(own, { event: heard, plus_ms: graceMs })
  const goesOn = before({ event: late }, { event: done })
  const active = talk.never(end, { event: created }, cancel)
  const short = talk.never(whole(text), at, { event: done })
  const itemId = pick(first?.data, '/item_id')
  return {
    asked: { ...asked, done },
    end,
    cancel,
    id,
    itemId: typeof itemId === 'string' ? itemId : undefined,
    active,
    midway: talk.never(whole(text), at, { event: heard }),
    short,
    ended: equals(inEvent(done, '/response/status'), oneOf('cancelled', 'incomplete')),
    inTime: { given: [active, any(short, goesOn)], choice: true },
  }
}

function claimCancel(talk: Talk, cut: Cut): void {
  const { asked, end, cancel, id, active, midway, short, ended, inTime } = cut
  const given = { given: [active, midway], choice: true }
  talk.claim('response-cancel.active-ends', talk.inTime(end, cancel, talk.after(2)), given)
  talk.claim('response-cancel.active-cut-short', short, inTime)
  const wasCut = { given: [active, short], choice: true }
  talk.claim('response-cancel.status', ended, wasCut)
  const untrue = different(inEvent(asked.done, '/response/status'), value('completed'))
  talk.claim(['response-done.final-statuses-told', 'response-done.completed-text-whole'], untrue, wasCut)
  const unknown = event('error', { '/error/event_id': { $in: [id, null], $absent: true } })
  const read = talk.never(unknown, cancel, { event: asked.done })
  talk.claim('response-cancel.known-type', any(all(short, ended), read), inTime)
  claimCutItem(talk, cut)
}

/** The item of a cancelled response is finished, and not as a whole one. */
function claimCutItem(talk: Talk, { asked, itemId, active, short, ended }: Cut): void {
  const where = itemId === undefined ? {} : { '/item/id': itemId }
  const introduced = before({ event: talk.event(delta, { event: asked.created }) }, { event: asked.done })
  const told = talk.leads(['response.output_item.done', 'response.done'], { event: asked.created })
  talk.claim('output-item-done.on-cancelled', told, { given: [introduced, active, ended], choice: true })
  const wholeItem = event('response.output_item.done', { ...where, '/item/status': 'completed' })
  const cut = talk.never(wholeItem, { event: asked.created }, { event: asked.done })
  talk.claim('output-item-done.cut-not-completed', cut, { given: [introduced, active, short, ended], choice: true })
}

/** A cancelled response leaves the session idle. */
async function speakAfter(talk: Talk, cut: Asked): Promise<void> {
  const ended = equals(inEvent(cut.done, '/response/status'), oneOf('cancelled', 'incomplete'))
  const after = await start(talk, speech('Where were we?', { scheduling_policy: 'reject_if_busy' }), ({ started }) => {
    talk.claim('response-cancel.frees-session', started, { given: [ended], choice: true })
  })
  await finish(talk, after)
}
