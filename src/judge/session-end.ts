import { at } from '#trace/json'
import { answerTo } from './answers.ts'
import type { Moment } from './conditions/points.ts'
import type { ChannelRecord, ExchangeRecord, FrameRecord, TraceIndex } from './trace-index.ts'

const known = new WeakMap<TraceIndex, ReadonlyMap<string, Moment>>()

/**
 * When a session was over by itself or by our close, as far as its control channel tells: with `session.closed` (6.2), or
 * where the service ended a connection and Get then shows that the session had ended, though we had not closed it. "The
 * service may also close a session for account limits, idle timeout, failures or maintenance" (3.1): whatever was asked
 * before and is not answered yet stays undecided.
 */
export function sessionEnd(trace: TraceIndex, session: string): Moment | undefined {
  const ends = known.get(trace) ?? readEnds(trace)
  known.set(trace, ends)
  return ends.get(session)
}

function readEnds(trace: TraceIndex): ReadonlyMap<string, Moment> {
  const shown = shownEnds(trace)
  const ends = new Map<string, Moment>()
  for (const channel of trace.channels.values()) {
    const { session } = channel
    const end = channel.frames.find(isSessionClosed) ?? cutOff(channel, shown.get(session))
    const earlier = ends.get(session)
    if (end !== undefined && (earlier === undefined || end.line < earlier.line)) {
      ends.set(session, { line: end.line, t: end.t })
    }
  }
  return ends
}

/** Whether a frame tells of the end of its session. */
export function isSessionClosed({ direction, type }: FrameRecord): boolean {
  return direction === 'received' && type === 'session.closed'
}

/** A connection that the service ended before Get showed the end of the session. */
function cutOff({ closed }: ChannelRecord, shown: number | undefined): Moment | undefined {
  if (closed === undefined || shown === undefined || closed.line > shown) return undefined
  const { by, t } = closed.entry
  return by === 'target' || by === 'network' ? { line: closed.line, t } : undefined
}

/** By session: the line of the first Get that shows its end, where we had not asked for a close before. */
function shownEnds(trace: TraceIndex): ReadonlyMap<string, number> {
  const ours = new Map<string, number>()
  const shown = new Map<string, number>()
  for (const record of trace.exchanges.values()) {
    const session = sessionOf(record)
    const first = record.attempts[0]?.request.line
    if (session === undefined || first === undefined) continue
    if (record.operation === 'close-avatar-session') ours.set(session, Math.min(ours.get(session) ?? first, first))
    else if (record.operation === 'get-avatar-session' && showsEnd(record) && !shown.has(session)) {
      shown.set(session, record.attempts.at(-1)?.request.line ?? first)
    }
  }
  return new Map([...shown].filter(([session, line]) => line < (ours.get(session) ?? Number.POSITIVE_INFINITY)))
}

function showsEnd(record: ExchangeRecord): boolean {
  const attempt = record.attempts.at(-1)
  const answer = attempt === undefined ? undefined : answerTo(attempt)
  if (answer?.kind === 'failure') return answer.code === 20005
  const status = answer?.kind === 'success' ? at(answer.data, '/status') : undefined
  return status === 'closing' || status === 'closed' || status === 'failed'
}

function sessionOf(record: ExchangeRecord): string | undefined {
  const segment = /\/realtime-avatar\/sessions\/([^/?]+)/.exec(record.attempts[0]?.request.entry.path ?? '')?.[1]
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment)
  } catch {
    return segment
  }
}
