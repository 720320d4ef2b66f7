import type { EventRef, Pattern, Point } from '#trace/claim'
import { placeAfter } from '#trace/first-place'
import { at } from '#trace/json'
import { matches } from '#trace/match'
import type { FrameRecord, TraceIndex } from '../trace-index.ts'
import { failedOver } from './own-failure.ts'

/** A place in the trace: entries after `line` come later; `t` is in milliseconds since the run began. */
export interface Moment {
  readonly line: number
  readonly t: number
}

/** Where a point lies, or undefined if the run never got there. */
export function momentOf(trace: TraceIndex, point: Point): Moment | undefined {
  const base = baseOf(trace, point)
  if (base === undefined || point.plus_ms === undefined) return base
  const t = base.t + point.plus_ms
  return t > trace.watched.t ? undefined : { line: lineBefore(trace, t, base.line), t }
}

/**
 * The end of what is bounded by a point on a channel. What the run was going to send next never went where the target
 * closed the channel before; then nothing could come any more from its close on.
 */
export function endOf(trace: TraceIndex, point: Point, channel: number): Moment | undefined {
  const moment = momentOf(trace, point)
  if (moment !== undefined || !('frame' in point) || point.plus_ms !== undefined) return moment
  const closed = trace.channels.get(channel)?.closed
  return closed?.entry.by === 'target' ? { line: closed.line, t: closed.entry.t } : undefined
}

function baseOf(trace: TraceIndex, point: Point): Moment | undefined {
  if ('exchange' in point) return ofExchange(trace, point.exchange, point.edge ?? 'sent')
  if ('frame' in point) return trace.frames.get(point.frame)
  if ('mark' in point) return trace.marks.get(point.mark)
  if ('event' in point) return findEvent(trace, point.event)
  const channel = trace.channels.get(point.channel)
  if (point.edge === 'opened') return channel?.opened
  return channel?.closed === undefined ? undefined : { line: channel.closed.line, t: channel.closed.entry.t }
}

function ofExchange(trace: TraceIndex, exchange: number, edge: 'sent' | 'answered'): Moment | undefined {
  const attempts = trace.exchanges.get(exchange)?.attempts
  const placed = edge === 'sent' ? attempts?.[0]?.request : attempts?.at(-1)?.response
  return placed === undefined ? undefined : { line: placed.line, t: placed.entry.t }
}

/** The frame that an event reference names, if it came: what comes after a failure over our event is no answer to it. */
export function findEvent(trace: TraceIndex, ref: EventRef): FrameRecord | undefined {
  const after = ref.after === undefined ? { line: 0, t: 0 } : momentOf(trace, ref.after)
  if (after === undefined) return undefined
  const asked = ref.after !== undefined && 'frame' in ref.after ? trace.frames.get(ref.after.frame)?.data : undefined
  let left = ref.nth ?? 1
  const frames = trace.channels.get(ref.channel)?.frames ?? []
  const from = flowedSince(trace, ref) ?? after
  for (let place = placeAfter(frames, from.line); place < frames.length; place += 1) {
    const frame = frames[place]
    if (frame?.direction !== 'received') continue
    if (fits(frame, ref.match)) {
      left -= 1
      if (left === 0) return frame
    } else if (frame.type === 'error' && failedOver(frame.data, at(asked, '/event_id'))) return undefined
  }
  return undefined
}

/** In a flow of events, a longer silence than this is none of them: a machine that gets no time does nothing meanwhile. */
const longestGap_ms = 500

/**
 * Where events that are to come so long after another one have flowed for as long: what went on for so many milliseconds
 * although something was to end it is told by what came meanwhile, not by a clock that ran while the target stood still.
 */
function flowedSince(trace: TraceIndex, { channel, match, after }: EventRef): Moment | undefined {
  if (after?.plus_ms === undefined || !('event' in after)) return undefined
  const base = findEvent(trace, after.event)
  if (base === undefined) return undefined
  const frames = trace.channels.get(channel)?.frames ?? []
  let [flowed, last]: [number, Moment] = [0, base]
  for (let place = placeAfter(frames, base.line); place < frames.length; place += 1) {
    const frame = frames[place]
    if (frame?.direction !== 'received' || !fits(frame, match)) continue
    flowed += Math.min(frame.t - last.t, longestGap_ms)
    // The one that comes now is the first behind that time.
    if (flowed > after.plus_ms) return { line: frame.line - 1, t: last.t }
    last = frame
  }
  return { line: trace.entries.length, t: trace.lastT }
}

/** Whether an event fits a pattern; most of those that don't are of another type. */
export function fits({ type, data }: FrameRecord, pattern: Pattern): boolean {
  return (pattern.type === undefined || pattern.type === type) && matches(data, pattern)
}

/** The last line that was written at or before `t`, searching upwards from `from`. */
function lineBefore(trace: TraceIndex, t: number, from: number): number {
  let low = from
  let high = trace.entries.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((trace.entries[middle - 1]?.t ?? 0) <= t) low = middle
    else high = middle - 1
  }
  return low
}
