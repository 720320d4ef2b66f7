import type { Frame } from '#client/types'
import type { Condition, EventRef } from '#trace/claim'
import { all, any, before, event } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import { errorAbout, startedFor } from '../error-about.ts'
import { type Counted, type Expect, type Expectations, onlyIf } from '../expectation.ts'
import { besideSpeech, endOf, finishOff, type Speaking, type BusySession } from '../responses/busy.ts'
import { type Asked, completed, wasCut } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import type { Talk } from '../talk.ts'
import { ping, pongAfter } from './ping.ts'

/** A `response.create` that meets an active response, before it is sent. */
export interface Meeting extends Asked {
  readonly rejected: Condition
  /** No `error` is about it. */
  readonly notRejected: Condition
  /** It was not rejected by the time at which what was sent behind it was answered; what comes later tells of its end. */
  readonly taken: Condition
  /** Reply to an event that was sent right behind it. */
  readonly pong: EventRef
  /** The other response was not done when it was sent. */
  readonly active: Condition
  /** The other response was active when it was handled: it was cut short, or went on for a while after. */
  readonly busy: readonly Condition[]
}

export interface Met extends Meeting {
  /** Number of its frame. */
  readonly frame: number
  /** The other response can be seen to have been active, once it is done. */
  readonly wasBusy: () => boolean
}

/**
 * Sends a `response.create` while a response is active, and behind it an event whose confirmation tells that it was read.
 */
export async function meet<R extends Row>(
  talk: Talk<R>,
  busy: BusySession,
  old: Speaking,
  response: JsonObject,
  expect?: Expect<R, Meeting>,
): Promise<Met> {
  const { known, graceMs } = busy
  const meeting = prepare(talk, busy, old)
  talk.expect(expect?.(meeting))
  const frame = talk.send({ type: 'response.create', event_id: meeting.id, response })
  const pong = await ping(talk, known)
  return { ...meeting, frame, wasBusy: () => wasBusy(talk, old, pong, graceMs) }
}

function prepare(talk: Talk, { known, graceMs }: BusySession, old: Speaking): Meeting {
  const id = talk.context.id('response')
  const at = talk.coming
  const match = startedFor(id)
  const created = talk.event(match, at)
  const pong = pongAfter(talk, known, talk.after(1))
  const named = event('error', { '/error/event_id': id })
  const taken = talk.never(errorAbout(id), at, { event: pong })
  const active = talk.never(old.done.match, { event: old.created }, at)
  const goesOn = before({ event: pong, plus_ms: graceMs }, { event: old.done })
  return {
    id,
    at,
    created,
    done: talk.event(event('response.done'), { event: created }),
    text: talk.event(event('response.output_text.done'), { event: created }),
    started: talk.eventually(match, at),
    rejected: talk.eventually(errorAbout(id), at),
    notRejected: all(taken, talk.never(named, at)),
    taken,
    pong,
    active,
    busy: [active, any(all(old.short, wasCut(old)), goesOn)],
  }
}

/** As {@link Meeting.busy} will tell; for steering only. */
function wasBusy(talk: Talk, old: Speaking, pong: Frame | undefined, graceMs: number): boolean {
  const end = endOf(talk, old)
  if (pong === undefined || old.start === undefined) return false
  if (end === undefined) return true
  return end.t > pong.t + graceMs || ['cancelled', 'incomplete'].includes(textAt(end?.data, '/response/status') ?? '')
}

/** What counts where the other response was active, and these hold. */
export const whileBusy = (it: Meeting, condition: Condition, ...more: readonly Condition[]): Counted =>
  onlyIf([...it.busy, ...more], condition)

/** What counts once the active response has come to its end by itself. */
export const onceOver = (old: Speaking, it: Meeting, condition: Condition, ...more: readonly Condition[]): Counted =>
  onlyIf([...it.busy, ...more, completed(old)], condition)

/** Waits until a request that met an active response is refused, or starts since that had ended. */
export async function hearOutcome(talk: Talk, met: Met): Promise<void> {
  const { id, frame, created } = met
  const outcomes = met.wasBusy() ? [errorAbout(id)] : [errorAbout(id), created.match]
  await talk.channel.next(outcomes, { after: frame, within_ms: talk.patience + 20 })
}

/** Sends a request beside a long speech, until one was seen to be active; each is heard to its end. */
export function meetSpeech<R extends Row>(
  talk: Talk<R>,
  busy: BusySession,
  response: JsonObject,
  expect: (it: Meeting, old: Speaking) => Expectations<R>,
): Promise<void> {
  return besideSpeech(talk, busy, async (old) => {
    const met = await meet(talk, busy, old, response, (it) => expect(it, old))
    await hearOutcome(talk, met)
    await finishOff(talk, old)
    return met.wasBusy()
  })
}
