import type { Eventually } from '#trace/claim'
import { at } from '#trace/json'
import { onlyEachTime, type Outcome, unobserved } from './outcome.ts'
import { mayHaveFailedOver, ownFailure, responseFailed } from './own-failure.ts'
import { placeAfter } from './points.ts'
import { show, showPatterns } from '../show.ts'
import type { ChannelRecord, FrameRecord, TraceIndex } from '../trace-index.ts'

/** A failure of the service's own over the event which an answer is expected to, before anything that looks like one. */
export function failureBefore(
  trace: TraceIndex,
  { after }: Eventually,
  { frames }: ChannelRecord,
  found: FrameRecord | undefined,
): FrameRecord | undefined {
  const sent = 'frame' in after ? trace.frames.get(after.frame) : undefined
  // What names no event explains only what did not come.
  const isNamed = typeof at(sent?.data, '/event_id') === 'string'
  if (sent?.data === undefined || (!isNamed && found !== undefined)) return undefined
  for (let place = placeAfter(frames, sent.line); place < frames.length; place += 1) {
    const frame = frames[place]
    if (frame === undefined || frame === found) return undefined
    if (frame.type === 'error' && frame.direction === 'received' && mayHaveFailedOver(frame.data, sent.data))
      return frame
  }
  return undefined
}

/** What the service fails over by itself counts only where it does so each time. */
export const failedOverIt = 'the service failed over it'

export function failed({ data, line }: FrameRecord, { match }: Eventually, after: number): Outcome {
  if (ownFailure(data) !== 'failure') return unobserved('network', failedOverIt, after, line)
  return onlyEachTime(failedOverIt, { expected: showPatterns(match), got: show(data) }, after, line)
}

/** Whether a certain end of a response is awaited. */
export function isAboutEnd({ match }: Eventually): boolean {
  return match.some(({ type, where = {} }) => type === 'response.done' && '/response/status' in where)
}

export function failedResponse({ data, line }: FrameRecord, { match }: Eventually, after: number): Outcome {
  return onlyEachTime(responseFailed, { expected: showPatterns(match), got: show(data) }, after, line)
}
