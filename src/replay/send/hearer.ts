import type { Channel, Frame } from '#client/types'
import type { Pattern, Test } from '#trace/claim'
import type { Entry, FrameReceivedEntry } from '#trace/entry'
import { type Json, textAt } from '#trace/json'
import { matches } from '#trace/match'
import { inPieces } from '../recorded.ts'
import type { Bindings } from './bindings.ts'
import type { InVain } from './in-vain.ts'

/** Hears on a channel what the recording heard, as far as it comes. */
export interface Hearer {
  hear(recorded: FrameReceivedEntry): Promise<void>
}

interface HearTools {
  readonly bindings: Bindings
  /** Whether a text was sent by us in the recording. */
  readonly said: (text: string) => boolean
  /** Takes note of the ids that an event tells this time. */
  readonly learn: (recorded: Entry, now: Json | undefined, guess: boolean) => void
  /** Takes note of the number that it has this time. */
  readonly number: (recorded: number, now: number) => void
  /** Number of the frame that was sent last, this time. */
  readonly lastSent: () => number
  /** Whether the recording leaves no doubt that an event answers what was sent last on its channel. */
  readonly answersLast: (recorded: FrameReceivedEntry) => boolean
  /** Takes note that things go otherwise than in the recording. */
  readonly otherWay: (how: string) => void
  readonly vain: InVain
  readonly event_ms: number
}

/** Where an event names what it is about. */
const causes = [
  '/error/event_id',
  '/request_event_id',
  '/event_id',
  '/response/id',
  '/response_id',
  '/item/id',
  '/item_id',
  '/item/content/0/text',
]
/** What comes in its own time, after whatever was sent meanwhile; all else answers what was sent last. */
const unhurried = /\.done$|^response\.(?:output|render)|^input_audio|transcription|^session\.closed$/
/** What came in vain once is waited for half as long the next time. */
const lessPatient = 2

export function createHearer(
  channel: Channel,
  { bindings, said, learn, number, lastSent, answersLast, otherWay, vain: all, event_ms }: HearTools,
): Hearer {
  const heard = new Map<string, number>()
  const vain = new Map<string, number>()
  let come = 0

  /** A target that says nothing at all is not waited for with each type anew. */
  async function wait(likely: Pattern, after: number, ms: number): Promise<Frame | undefined> {
    if (channel.frames.length > come) all.heard()
    come = channel.frames.length
    const within_ms = all.left(ms)
    const frame = await channel.next(likely, { after, within_ms })
    if (channel.state === 'open' && channel.frames.length === come) all.waited(within_ms)
    return frame
  }

  async function find(recorded: FrameReceivedEntry, type: string): Promise<Frame | undefined> {
    const { sure, likely } = about(recorded, type, { bindings, said })
    const after = unhurried.test(type) ? (heard.get(type) ?? 0) : Math.max(heard.get(type) ?? 0, lastSent())
    const known = Object.keys(sure.where ?? {}).length > 0
    const isIt = (one: Frame): boolean => known && matches(one.data, sure)
    // Of several about the same, such as the items of one response, each is heard once.
    const early =
      channel.frames.find((one) => one.frame > (heard.get(type) ?? 0) && isIt(one)) ??
      channel.frames.find((one) => isIt(one) || (one.frame > after && matches(one.data, likely)))
    if (early !== undefined || (type === inPieces && after > 0)) return early
    const frame = await wait(likely, after, event_ms / lessPatient ** (vain.get(type) ?? 0))
    vain.set(type, frame === undefined ? (vain.get(type) ?? 0) + 1 : 0)
    // It may have come earlier this time, before what was sent last.
    return frame ?? channel.frames.find((one) => one.frame > (heard.get(type) ?? 0) && matches(one.data, likely))
  }

  /** Whether it is the first event of its type since the last frame was sent. */
  function isFirst(frame: Frame, type: string | undefined): boolean {
    const since = channel.frames.find((one) => one.frame > lastSent() && textAt(one.data, '/type') === type)
    return since === frame
  }

  return {
    hear: async (recorded) => {
      const type = textAt(recorded.data, '/type')
      // Of what bears no type nothing is known but that it answered what was sent last.
      const frame = type === undefined ? await wait({}, lastSent(), event_ms) : await find(recorded, type)
      if (frame === undefined) {
        // What was expected of an event that was refused need not hold for one that is taken.
        if (type === 'error') otherWay('no `error` comes for an event that was refused then')
        return learn(recorded, undefined, false)
      }
      if (type !== undefined) heard.set(type, Math.max(frame.frame, heard.get(type) ?? 0))
      number(recorded.frame, frame.frame)
      const { sure } = about(recorded, type ?? '', { bindings, said })
      const named = Object.keys(sure.where ?? {}).length > 0 && matches(frame.data, sure)
      learn(recorded, frame.data, !named && !(answersLast(recorded) && isFirst(frame, type)))
    },
  }
}

/** What an event is known by; `likely` also where it leaves out what it may. */
interface Likeness {
  readonly sure: Pattern
  readonly likely: Pattern
}

/** Of this type, and about the same of our events or of what is known from before, where it says so. */
function about(recorded: FrameReceivedEntry, type: string, tools: Pick<HearTools, 'bindings' | 'said'>): Likeness {
  const { bindings, said } = tools
  const sure: { [pointer: string]: Json } = {}
  const likely: { [pointer: string]: Json | Test } = {}
  for (const pointer of causes) {
    const text = textAt(recorded.data, pointer)
    if (text === undefined || !(said(text) || bindings.knows(text))) continue
    sure[pointer] = bindings.text(text)
    likely[pointer] = bindings.knows(text) ? bindings.text(text) : { $in: [bindings.text(text)], $absent: true }
  }
  return { sure: { type, where: sure }, likely: { type, where: likely } }
}
