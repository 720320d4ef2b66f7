import type { EventRef, Eventually } from '#trace/claim'
import { at, type Json } from '#trace/json'
import { broken, onlyEachTime, type Outcome, unobserved } from './outcome.ts'
import type { LostResponse } from './lost-response.ts'
import { isNeverServed } from './never-served.ts'
import { isNamelessFailure, mayHaveFailedOver, ownFailure } from './own-failure.ts'
import { placeAfter } from '#trace/first-place'
import { findEvent } from './points.ts'
import { isFailedFirst, isToFail } from './to-fail.ts'
import { show, showPatterns } from '../show.ts'
import type { ChannelRecord, FrameRecord, TraceIndex } from '../trace-index.ts'

/** A failure of the service's own over the event which an answer is expected to, before anything that looks like one. */
export function failureBefore(
  trace: TraceIndex,
  condition: Eventually,
  { frames }: ChannelRecord,
  found: FrameRecord | undefined,
): FrameRecord | undefined {
  const sent = askedBy(trace, condition, frames)
  if (sent?.data === undefined) return undefined
  const id = at(sent.data, '/event_id')
  const isNamed = typeof id === 'string'
  // What an event that is to fail is followed by answers a later one.
  if (found !== undefined && (isToFail(trace, id) || isFailedFirst(trace, id))) return undefined
  for (let place = placeAfter(frames, sent.line); place < frames.length; place += 1) {
    const frame = frames[place]
    if (frame === undefined || frame === found) return undefined
    if (frame.type !== 'error' || frame.direction !== 'received') continue
    if (isNamed && mayHaveFailedOver(frame.data, sent.data)) return frame
    // What names no event explains only what did not come, or came for another one of its kind.
    if (!isNamelessFailure(frame.data)) continue
    if ((!isNamed && found === undefined) || isAskedAgain(frames, place, found, at(sent.data, '/type'))) return frame
  }
  return undefined
}

/** The event of ours that is answered: what is waited from, or what the awaited answer names, wherever the wait begins. */
function askedBy(
  trace: TraceIndex,
  { after, match }: Eventually,
  frames: readonly FrameRecord[],
): FrameRecord | undefined {
  if ('frame' in after) return trace.frames.get(after.frame)
  const names = new Set(match.map(({ where = {} }) => where['/event_id'] ?? where['/request_event_id']))
  const [name] = names
  if (names.size !== 1 || typeof name !== 'string') return undefined
  return frames.find(({ direction, data }) => direction === 'sent' && at(data, '/event_id') === name)
}

/**
 * Whether an event may answer something later than what it is looked for behind: the service failed over something
 * meanwhile, did not say over what, and the same was asked for again.
 */
export function mayAnswerAnother(trace: TraceIndex, { channel, after }: EventRef, found: FrameRecord): boolean {
  if (after !== undefined && 'event' in after) {
    const first = findEvent(trace, after.event)
    return first !== undefined && mayAnswerAnother(trace, after.event, first)
  }
  const sent = after !== undefined && 'frame' in after ? trace.frames.get(after.frame) : undefined
  const frames = trace.channels.get(channel)?.frames ?? []
  if (sent === undefined) return false
  const from = placeAfter(frames, sent.line)
  const failure = frames.findIndex((frame, place) => place >= from && isNamelessFailure(frame.data))
  return failure >= 0 && isAskedAgain(frames, failure, found, at(sent.data, '/type'))
}

/** Whether another event of this type was sent behind a frame, and before the one that looks like an answer. */
function isAskedAgain(
  frames: readonly FrameRecord[],
  place: number,
  found: FrameRecord | undefined,
  type: Json | undefined,
): boolean {
  if (found === undefined) return false
  const between = frames.slice(place, frames.indexOf(found))
  return between.some((frame) => frame.direction === 'sent' && frame.type === type)
}

/** What the service fails over by itself counts only where it does so each time. */
export const failedOverIt = 'the service failed over it'

export function failed(trace: TraceIndex, failure: FrameRecord, { match }: Eventually, after: number): Outcome {
  const { data, line } = failure
  if (ownFailure(data) !== 'failure') return unobserved('network', failedOverIt, after, line)
  if (isNeverServed(trace, failure)) {
    return { ...broken(showPatterns(match), show(data), after, line), isProven: true }
  }
  return onlyEachTime(failedOverIt, { expected: showPatterns(match), got: show(data) }, after, line)
}

/** Whether a certain end of a response is awaited. */
export function isAboutEnd({ match }: Eventually): boolean {
  return match.some(({ type, where = {} }) => type === 'response.done' && '/response/status' in where)
}

export function failedResponse({ end, why }: LostResponse, { match }: Eventually, after: number): Outcome {
  return onlyEachTime(why, { expected: showPatterns(match), got: show(end.data) }, after, end.line)
}
