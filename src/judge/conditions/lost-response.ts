import type { Eventually, Operand, Pattern } from '#trace/claim'
import { placeAfter } from '#trace/first-place'
import { at, isObject, type Json } from '#trace/json'
import type { ChannelRecord, FrameRecord, TraceIndex } from '../trace-index.ts'
import type { Resolved } from './operands.ts'
import { responseFailed, responseIncomplete } from './own-failure.ts'
import { findEvent } from './points.ts'

const streamed = new Set<Json | undefined>(['response.output_text.delta', 'response.output_text.done'])
const outputs = new Set([...streamed, 'response.output_item.done', 'response.render.started', 'response.done'])

/** Why a response need not have brought all that was asked for, as its end tells. */
function whyLess(end: Json | undefined, isText: boolean): string | undefined {
  const status = at(end, '/response/status')
  if (status === 'failed') return responseFailed
  return isText && status === 'incomplete' ? responseIncomplete : undefined
}

/** Why a value that an event shows, or lacks, may be less than was asked for: its response failed, or was broken off. */
export function whyLessCame(
  trace: TraceIndex,
  operand: Operand,
  shown: Resolved,
  wanted: Resolved,
): string | undefined {
  if (!('event' in operand)) return undefined
  const frame = findEvent(trace, operand.event)
  const { path } = operand
  const value = wanted.found === 'value' ? wanted.value : undefined
  if (frame?.type === 'response.done') {
    if (path === '/response/status') return whyLess(frame.data, value === 'completed')
    // It came in the place of something else.
    if (path === '/type') return whyLess(frame.data, streamed.has(value))
    if (path === '/text') return whyLess(frame.data, true)
    return path.startsWith('/response/output') && shown.found === 'absent' ? whyLess(frame.data, true) : undefined
  }
  if (frame === undefined || path !== '/text' || !isBeginning(frame, value)) return undefined
  return whyLess(endBehind(trace.channels.get(operand.event.channel), frame), true)
}

/** The same of a final text that is another one than this. */
export function whyTextIsLess(
  channel: ChannelRecord,
  frame: FrameRecord,
  match: readonly Pattern[],
): string | undefined {
  const begins = match.some(({ where = {} }) => {
    const text = where['/text']
    return isObject(text) && isBeginning(frame, text['$not'])
  })
  return begins ? whyLess(endBehind(channel, frame), true) : undefined
}

function isBeginning({ type, data }: FrameRecord, wanted: Json | undefined): boolean {
  const text = at(data, '/text')
  if (type !== 'response.output_text.done' || typeof text !== 'string') return false
  return typeof wanted === 'string' && wanted.startsWith(text)
}

/** The end of the response which an event belongs to; `response.done` may have no id. */
function endBehind(channel: ChannelRecord | undefined, { data, line }: FrameRecord): Json | undefined {
  const id = at(data, '/response_id')
  return channel?.frames.find((frame) => frame.line > line && isEndOf(frame, id))?.data
}

function isEndOf({ direction, type, data }: FrameRecord, id: Json | undefined): boolean {
  if (direction !== 'received' || type !== 'response.done') return false
  const own = at(data, '/response/id')
  return own === undefined || id === undefined || own === id
}

/** A response that brought less than was asked for, and why. */
export interface LostResponse {
  readonly end: FrameRecord
  readonly why: string
}

/**
 * The end of a response that was to bring an output, and ended before it did by itself: the one that is named, or the first
 * that started from this line on.
 */
export function lostResponse(
  { match }: Eventually,
  { frames }: ChannelRecord,
  from: number,
  until: number,
): LostResponse | undefined {
  if (!match.every(({ type }) => type !== undefined && outputs.has(type))) return undefined
  const named = match.map(({ where = {} }) => where['/response_id']).find((id) => typeof id === 'string')
  const since = frames.slice(placeAfter(frames, from - 1)).filter(({ line }) => line < until)
  const begun = since.findIndex(({ direction, type }) => direction === 'received' && type === 'response.created')
  if (named === undefined && begun < 0) return undefined
  const id = named ?? at(since[begun]?.data, '/response/id')
  const isText = match.some(({ type }) => streamed.has(type))
  for (const frame of since.slice(named === undefined ? begun : 0)) {
    const why = isEndOf(frame, id) ? whyLess(frame.data, isText) : undefined
    if (why !== undefined) return { end: frame, why }
  }
  return undefined
}
