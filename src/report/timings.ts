import type { ChannelRecord, FrameRecord, TraceIndex } from '#judge/trace-index'
import { stringAt } from '#trace/json'

/** How long one thing took, and where it stands. */
export interface Timing {
  readonly ms: number
  /** Line of the trace at which it ended. */
  readonly line: number
}

type Timings = Map<string, Timing[]>

/** How long each operation took, from the request to the whole answer, and each event of the control channel. */
export interface TraceTimings {
  readonly rest: ReadonlyMap<string, readonly Timing[]>
  readonly events: ReadonlyMap<string, readonly Timing[]>
}

/** Times of REST operations and of events, from the trace: reported, never judged. */
export function timingsOf(index: TraceIndex): TraceTimings {
  const rest: Timings = new Map()
  const events: Timings = new Map()
  for (const { operation, attempts } of index.asked.values())
    for (const { request, response } of attempts)
      if (response !== undefined)
        add(rest, operation ?? 'outside the interface', response.entry.t - request.entry.t, response.line)
  for (const channel of index.channels.values()) timeChannel(channel, events)
  return { rest, events }
}

/** Nearest rank. */
export function quantile(sorted: readonly Timing[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]?.ms ?? 0
}

/** What answers what. */
const answers: { readonly [sent: string]: string } = {
  'session.update': 'session.updated',
  'response.create': 'response.created',
  'asset.add': 'asset.added',
  'avatar.add': 'avatar.added',
  'conversation.item.create': 'conversation.item.created',
  'conversation.item.retrieve': 'conversation.item.retrieved',
  'conversation.item.delete': 'conversation.item.deleted',
}

function timeChannel(channel: ChannelRecord, timings: Timings): void {
  const { open, opened } = channel
  if (opened !== undefined) add(timings, 'open → opened', opened.t - open.entry.t, opened.line)
  const pending: FrameRecord[] = []
  const responses = new Map<string, { readonly t: number; started: boolean }>()
  for (const frame of channel.frames) {
    const type = stringAt(frame.data, '/type')
    if (frame.direction === 'sent') {
      if (type !== undefined && type in answers) pending.push(frame)
    } else if (type !== undefined) {
      timeAnswer(frame, type, pending, timings)
      timeResponse(frame, type, responses, timings)
    }
  }
}

/** Events that name what they answer are told by it, others by their order; what was refused is no longer waited for. */
function timeAnswer(frame: FrameRecord, type: string, pending: FrameRecord[], timings: Timings): void {
  const named =
    stringAt(frame.data, '/request_event_id') ??
    stringAt(frame.data, '/error/event_id') ??
    (type === 'session.updated' ? stringAt(frame.data, '/event_id') : undefined)
  const byName = named === undefined ? -1 : pending.findIndex((sent) => stringAt(sent.data, '/event_id') === named)
  if (type === 'error') {
    if (byName >= 0) pending.splice(byName, 1)
    return
  }
  const asks = (sent: FrameRecord): boolean => answers[stringAt(sent.data, '/type') ?? ''] === type
  const place = byName >= 0 ? byName : pending.findIndex(asks)
  const sent = pending[place]
  if (sent === undefined || !asks(sent)) return
  pending.splice(place, 1)
  add(timings, `${stringAt(sent.data, '/type')} → ${type}`, frame.t - sent.t, frame.line)
}

function timeResponse(
  frame: FrameRecord,
  type: string,
  responses: Map<string, { readonly t: number; started: boolean }>,
  timings: Timings,
): void {
  const id = stringAt(frame.data, '/response/id') ?? stringAt(frame.data, '/response_id')
  if (id === undefined) return
  if (type === 'response.created') responses.set(id, { t: frame.t, started: false })
  const response = responses.get(id)
  if (response === undefined) return
  if (type === 'response.output_text.delta' && !response.started) {
    response.started = true
    add(timings, 'response.created → first response.output_text.delta', frame.t - response.t, frame.line)
  }
  if (type === 'response.done') add(timings, 'response.created → response.done', frame.t - response.t, frame.line)
}

function add(timings: Timings, name: string, ms: number, line: number): void {
  const list = timings.get(name) ?? []
  list.push({ ms, line })
  timings.set(name, list)
}
