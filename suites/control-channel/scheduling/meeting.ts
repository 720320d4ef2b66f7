import type { Frame } from '#client/types'
import type { Condition, EventRef } from '#trace/claim'
import { all, any, before, equals, event, inEvent, oneOf } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { endOf, type Speaking, type Stage, textIn } from '../responses/busy.ts'
import { retrieved } from '../items/items.ts'
import { errorAbout } from '../error-about.ts'
import type { Asked } from '../responses/responses.ts'
import type { ClaimOptions, Talk } from '../talk.ts'

/** A `response.create` that meets an active response, before it is sent. */
export interface Meeting extends Asked {
  readonly rejected: Condition
  /** No `error` is about it. */
  readonly notRejected: Condition
  /** Reply to an event that was sent right behind it. */
  readonly pong: EventRef
  /** The other response was not done when it was sent. */
  readonly active: Condition
  /** The other response was active when it was handled: it was cut short, or went on for a while after. */
  readonly busy: ClaimOptions
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
export async function meet(
  stage: Stage,
  old: Speaking,
  response: JsonObject,
  write: (meeting: Meeting) => void,
): Promise<Met> {
  const { talk, known, graceMs } = stage
  const meeting = prepare(stage, old)
  write(meeting)
  const frame = talk.send({ type: 'response.create', event_id: meeting.id, response })
  const ping = { type: 'conversation.item.retrieve', event_id: talk.context.id('ping'), item_id: known }
  const pong = await talk.hear(event(retrieved, { '/item/id': known }), talk.send(ping))
  return { ...meeting, frame, wasBusy: () => wasBusy(talk, old, pong, graceMs) }
}

function prepare({ talk, known, graceMs }: Stage, old: Speaking): Meeting {
  const id = talk.context.id('response')
  const at = talk.coming
  const match = event('response.created', { '/request_event_id': { $in: [id], $absent: true } })
  const created = talk.event(match, at)
  const pong = talk.event(event(retrieved, { '/item/id': known }), talk.after(1))
  const named = event('error', { '/error/event_id': id })
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
    notRejected: all(talk.never(errorAbout(id), at, { event: pong }), talk.never(named, at)),
    pong,
    active,
    busy: { given: [active, any(all(old.short, cut(old)), goesOn)], choice: true },
  }
}

/** It ended before its time, since somebody wanted it to. */
export function cut({ done }: Pick<Speaking, 'done'>): Condition {
  return equals(inEvent(done, '/response/status'), oneOf('cancelled', 'incomplete'))
}

/** As {@link Meeting.busy} will tell; for steering only. */
function wasBusy(talk: Talk, old: Speaking, pong: Frame | undefined, graceMs: number): boolean {
  const end = endOf(talk, old)
  if (pong === undefined || old.start === undefined) return false
  if (end === undefined) return true
  return end.t > pong.t + graceMs || ['cancelled', 'incomplete'].includes(textIn(end, '/response/status') ?? '')
}
