import type { Entry } from '#trace/entry'
import { at } from '#trace/json'
import type { FrameRecord, TraceIndex } from '../trace-index.ts'

/** Where an event of the service names the event of a client that it answers. */
const names = ['/event_id', '/request_event_id', '/error/event_id']

/**
 * Sessions on which nobody knows what the service was asked: a client sent something in binary frames that is no JSON, or
 * JSON that the service need not have read (4.4: "Each message is a JSON object", in which frames is not said).
 */
export function unreadSessions(trace: TraceIndex, lines: readonly { readonly entry: Entry }[]): ReadonlySet<string> {
  const unread = new Set<string>()
  /** Ids of what was sent in binary frames, session by session. */
  const sent = new Map<string, Set<unknown>>()
  for (const { entry } of lines) {
    if (entry.kind !== 'frame-sent' || entry.binary !== true) continue
    const session = trace.channels.get(entry.channel)?.session
    if (session === undefined) continue
    if (entry.data === undefined) unread.add(session)
    const ids = sent.get(session) ?? new Set()
    sent.set(session, ids.add(at(entry.data, '/event_id')))
  }
  if (sent.size === 0) return unread
  const read = new Set<string>()
  for (const { session, frames } of trace.channels.values()) {
    const ids = sent.get(session)
    if (ids !== undefined && frames.some((frame) => answersOne(frame, ids))) read.add(session)
  }
  return unread.union(new Set(sent.keys()).difference(read))
}

function answersOne({ direction, data }: FrameRecord, ids: ReadonlySet<unknown>): boolean {
  if (direction === 'sent') return false
  return names.some((name) => {
    const named = at(data, name)
    return typeof named === 'string' && named !== '' && ids.has(named)
  })
}
