import type { Entry } from '#trace/entry'
import { at, isObject } from '#trace/json'
import { createdSession } from '../answers.ts'
import { speaksOfEnd } from '../sessions/session-end.ts'
import { sessionIn } from '../sessions/session-in.ts'
import type { ChannelRecord, ExchangeRecord, TraceIndex } from '../trace-index.ts'

/** A session, with what a window knows of it. */
export interface SessionUnit {
  readonly session: string
  /** Its create stands in the window: what is judged of it begins with its beginning. */
  created: boolean
  /** A connection of it is open. */
  connected: boolean
  /** Something said that it ends. */
  ending: boolean
}

/** Which session each request and connection of a window belongs to. */
export interface Units {
  readonly sessions: ReadonlyMap<string, SessionUnit>
  /** The session of an entry; undefined for what concerns none. */
  of(entry: Entry): string | undefined
  /** Nothing came of it yet. */
  isPending(entry: Entry): boolean
  /** The opening of a connection that lasts: by it the frames that come later find their session. */
  opensLasting(entry: Entry): boolean
}

export function unitsOf(trace: TraceIndex): Units {
  const sessions = new Map<string, SessionUnit>()
  const unit = (session: string): SessionUnit => {
    const known = sessions.get(session) ?? { session, created: false, connected: false, ending: false }
    sessions.set(session, known)
    return known
  }
  const byExchange = new Map<number, string>()
  for (const record of trace.asked.values()) {
    const made = createdSession(record)
    const session = made ?? sessionIn(record.attempts[0]?.request.entry.path ?? '')
    if (session === undefined) continue
    byExchange.set(record.exchange, session)
    const known = unit(session)
    if (made !== undefined) known.created ||= beginsHere(trace, record, made)
    else if (tellsOfEnd(record)) known.ending = true
  }
  for (const channel of trace.channels.values()) noteChannel(unit(channel.session), channel)
  return {
    sessions,
    of: (entry) => {
      if ('channel' in entry) return trace.channels.get(entry.channel)?.session
      return 'exchange' in entry ? byExchange.get(entry.exchange) : undefined
    },
    isPending: (entry) => {
      const last = 'exchange' in entry ? trace.asked.get(entry.exchange)?.attempts.at(-1) : undefined
      return last !== undefined && last.response === undefined && last.failure === undefined
    },
    opensLasting: (entry) => {
      if (entry.kind !== 'channel-open' && entry.kind !== 'channel-opened') return false
      const channel = trace.channels.get(entry.channel)
      return channel !== undefined && isConnected(channel)
    },
  }
}

/** Whether a session was made by this create: one that repeats its key is answered with a session that is there already. */
function beginsHere(trace: TraceIndex, { attempts }: ExchangeRecord, session: string): boolean {
  const line = attempts[0]?.request.line ?? 0
  for (const { session: other, open } of trace.channels.values())
    if (other === session && open.line < line) return false
  return true
}

function isConnected({ closed, refused }: ChannelRecord): boolean {
  return closed === undefined && refused === undefined
}

function noteChannel(unit: SessionUnit, channel: ChannelRecord): void {
  const { opened, frames } = channel
  if (isConnected(channel)) unit.connected = true
  if (opened !== undefined && frames.some((frame) => at(frame.data, '/type') === 'session.closed')) unit.ending = true
}

/** A close, and any answer by which the session is not open any more. */
function tellsOfEnd({ operation, attempts }: ExchangeRecord): boolean {
  if (operation === null) return false
  const body = attempts.at(-1)?.response?.entry.body
  if (!isObject(body)) return false
  if (operation.startsWith('close-')) return body['code'] === 0 || body['code'] === 20005
  if (!operation.startsWith('get-')) return false
  return body['code'] === 20005 || speaksOfEnd(body['data'], ['closed', 'failed']) === true
}
