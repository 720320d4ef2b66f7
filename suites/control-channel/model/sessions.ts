import { readOnce } from '#judge/read-once'
import { answerTo, createdSession } from '#judge/answers'
import { isFoundDead } from '#judge/conditions/dead-connection'
import type { Moment } from '#judge/conditions/points'
import { isRecording } from '#judge/recordings'
import { sessionEnd } from '#judge/sessions/session-end'
import { sessionIn } from '#judge/sessions/session-in'
import { stillBetween } from '#judge/timing/standstill'
import { missingAfter } from '#judge/timing/timeouts'
import type { ChannelRecord, ExchangeRecord, FrameRecord, TraceIndex } from '#judge/trace-index'
import { placeAfter } from '#trace/first-place'
import { at, isObject, type JsonObject, parsed } from '#trace/json'

/** An event that passed on a control connection. */
export interface ChannelEvent {
  readonly line: number
  readonly t: number
  readonly scenario: string | undefined
  readonly connection: Connection
  readonly type: string | undefined
  /** Empty for a message that was deliberately no JSON object. */
  readonly event: JsonObject
}

/** What we sent. */
export interface SentEvent extends ChannelEvent {
  /** `event_id`, where it is a nonempty string. */
  readonly id: string | undefined
}

/** What came. */
export interface ReceivedEvent extends ChannelEvent {
  /** Undefined for what is no event at all. */
  readonly type: string | undefined
}

/** One admitted control connection. */
export interface Connection {
  readonly channel: number
  readonly session: Session
  /** When the upgrade was asked for, and when it was granted. */
  readonly asked: Moment
  readonly opened: Moment
  /** Up to here what should come must come; afterwards nothing is decided. */
  readonly until: Moment
  readonly record: ChannelRecord
  readonly sent: SentEvent[]
  readonly received: ReceivedEvent[]
}

/** An avatar session, with all that passed on its connections in the order of the trace. */
export interface Session {
  readonly id: string
  readonly create: SessionCreate | undefined
  /** It stands in a recording, of which a part may be missing. */
  readonly recorded: boolean
  /** From here on it may be closing, and nothing is decided (6.2 "realtime interaction ended"). */
  readonly closing: Moment
  readonly connections: Connection[]
  readonly sent: SentEvent[]
  readonly received: ReceivedEvent[]
  /** What we sent under an `event_id`. */
  readonly byId: ReadonlyMap<string, readonly SentEvent[]>
}

/** The create that made a session. */
export interface SessionCreate {
  readonly line: number
  readonly t: number
  /** Name of the key that it was made with. */
  readonly key: string
  readonly body: JsonObject
  readonly data: JsonObject
}

const never: Moment = { line: Number.POSITIVE_INFINITY, t: Number.POSITIVE_INFINITY }
/** The sessions of a trace that had a control connection, in the order of their first one. */
export const sessionsOf = readOnce(readSessions)

/** A model may think between two events for so many times as long as an answer takes. */
export const modelFactor = 3

/** For how long nothing must have come of an event before its answer counts as missing, in milliseconds. */
export function patienceOf(trace: TraceIndex): number {
  return missingAfter(trace, 'event_ms')
}

/** The same for what a model says next. */
export const modelPatienceOf = (trace: TraceIndex): number => modelFactor * patienceOf(trace)

function readSessions(trace: TraceIndex): readonly Session[] {
  const creates = createsOf(trace)
  const closings = closingsOf(trace)
  const groups = new Map<string, ChannelRecord[]>()
  for (const record of trace.channels.values()) {
    if (record.opened === undefined) continue
    const group = groups.get(record.session)
    if (group === undefined) groups.set(record.session, [record])
    else group.push(record)
  }
  return [...groups].map(([id, records]) => readSession(trace, id, records, creates.get(id), closings.get(id)))
}

function readSession(
  trace: TraceIndex,
  id: string,
  records: readonly ChannelRecord[],
  create: SessionCreate | undefined,
  closed: Moment | undefined,
): Session {
  const closing = [closed, sessionEnd(trace, id), expiryOf(create)].reduce<Moment>(
    (first, one) => (one !== undefined && one.t < first.t ? one : first),
    never,
  )
  const byId = new Map<string, SentEvent[]>()
  const recorded = isRecording(trace)
  const session: Session = { id, create, recorded, closing, connections: [], sent: [], received: [], byId }
  for (const record of records) session.connections.push(readConnection(trace, session, record))
  // One by one: a flood has more frames than a call takes arguments.
  for (const one of inOrder(session.connections.map(({ sent }) => sent))) session.sent.push(one)
  for (const one of inOrder(session.connections.map(({ received }) => received))) session.received.push(one)
  for (const one of session.sent) {
    if (one.id === undefined) continue
    const group = byId.get(one.id)
    if (group === undefined) byId.set(one.id, [one])
    else group.push(one)
  }
  return session
}

/** What passed on several connections in one list; on each of them it is in order already. */
function inOrder<E extends ChannelEvent>(lists: readonly (readonly E[])[]): readonly E[] {
  const [only, ...others] = lists
  return only !== undefined && others.length === 0 ? only : lists.flat().toSorted(byLine)
}

/** One that was found dead was so since something came last, whatever was sent into it. */
function lineOfEnd(record: ChannelRecord, line: number): number {
  if (!isFoundDead(record)) return line
  const { frames, open } = record
  return (frames.findLast(({ direction }) => direction === 'received')?.line ?? open.line) + 1
}

function readConnection(trace: TraceIndex, session: Session, record: ChannelRecord): Connection {
  const opened = record.opened ?? { line: record.open.line, t: record.open.entry.t }
  const end =
    record.closed === undefined ? never : { line: lineOfEnd(record, record.closed.line), t: record.closed.entry.t }
  const last: Moment = { line: trace.watched.line + 1, t: trace.watched.t }
  const over = [end, session.closing].reduce<Moment>((first, one) => (one.t < first.t ? one : first), last)
  const until = { ...over, t: over.t - stillAtEnd(trace, record, over) }
  const asked: Moment = { line: record.open.line, t: record.open.entry.t }
  const { channel } = record
  const connection: Connection = { channel, session, asked, opened, until, record, sent: [], received: [] }
  for (const frame of record.frames) {
    if (frame.direction === 'sent') connection.sent.push(readSent(frame, connection))
    else if (isObject(frame.data)) connection.received.push(readChannelEvent(frame, connection))
  }
  return connection
}

/** For how long of the silence at the end of a connection the target said nothing to anybody: that is none of the connection's. */
function stillAtEnd(trace: TraceIndex, { frames, open }: ChannelRecord, over: Moment): number {
  const isHeard = ({ direction, line }: FrameRecord): boolean => direction === 'received' && line < over.line
  const heard = frames.findLast(isHeard) ?? { line: open.line, t: open.entry.t }
  return stillBetween(trace, heard, over)
}

function readChannelEvent(frame: FrameRecord, connection: Connection): ChannelEvent {
  const { line, t, scenario } = frame
  if (isObject(frame.data)) {
    const type = typeof frame.type === 'string' ? frame.type : undefined
    return { line, t, scenario, connection, type, event: frame.data }
  }
  // What was sent as text may be an event all the same.
  const data = frame.data ?? (frame.text === undefined ? undefined : parsed(frame.text))
  const event = isObject(data) ? data : {}
  return { line, t, scenario, connection, type: textAt(event, 'type'), event }
}

function readSent(frame: FrameRecord, connection: Connection): SentEvent {
  const { line, t, scenario, type, event } = readChannelEvent(frame, connection)
  return { line, t, scenario, connection, type, event, id: textAt(event, 'event_id') || undefined }
}

function byLine(one: ChannelEvent, other: ChannelEvent): number {
  return one.line - other.line
}

/** An explicit lifetime ends no sooner than this after the create was sent. */
function expiryOf(create: SessionCreate | undefined): Moment | undefined {
  const seconds = create?.body['max_duration_seconds']
  if (create === undefined || typeof seconds !== 'number') return undefined
  return { line: Number.POSITIVE_INFINITY, t: create.t + seconds * 1000 }
}

function createsOf(trace: TraceIndex): ReadonlyMap<string, SessionCreate> {
  const creates = new Map<string, SessionCreate>()
  for (const record of trace.exchanges.values()) {
    const id = createdSession(record)
    if (id !== undefined && !creates.has(id)) creates.set(id, createOf(record))
  }
  return creates
}

/** Whether a session was started from a character: what it has is the character's, whatever else was sent. */
export function isOfCharacter(body: JsonObject): boolean {
  return typeof body['character_id'] === 'string'
}

function createOf(record: ExchangeRecord): SessionCreate {
  const attempt = record.attempts.at(-1)
  const body = attempt?.request.entry.body
  const data = at(attempt?.response?.entry.body, '/data')
  return {
    line: attempt?.response?.line ?? 0,
    t: record.attempts[0]?.request.entry.t ?? 0,
    key: record.key,
    body: isObject(body) ? body : {},
    data: isObject(data) ? data : {},
  }
}

/** When we first asked for the close of a session, unless it was refused. */
function closingsOf(trace: TraceIndex): ReadonlyMap<string, Moment> {
  const closings = new Map<string, Moment>()
  for (const record of trace.exchanges.values()) {
    const first = record.attempts[0]
    if (record.operation !== 'close-avatar-session' || first === undefined) continue
    const id = sessionIn(first.request.entry.path)
    const refused = record.attempts.every((attempt) => answerTo(attempt).kind === 'failure')
    if (id === undefined || refused || closings.has(id)) continue
    closings.set(id, { line: first.request.line, t: first.request.entry.t })
  }
  return closings
}

/** What of a list in the order of the trace lies after one line and before another. */
export function between<P extends ChannelEvent>(list: readonly P[], after: number, before: number): readonly P[] {
  return list.slice(placeAfter(list, after), placeAfter(list, before - 1))
}

/** Whether something passed before the session may have been closing. */
export function isDecided({ line, t, connection }: ChannelEvent): boolean {
  const { closing } = connection.session
  return line < closing.line && t <= closing.t
}

// What every object inherits is no string, no list, and but for `__proto__`, which nobody asks for, no object that JSON
// could hold: so these need not ask whether a member is the object's own.

/** A member that is a string. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}

/** A member that is an object; an empty one where there is none. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isObject(value) ? value : empty
}

const empty: JsonObject = Object.freeze({})
const none: readonly JsonObject[] = Object.freeze([])

/** The objects in a member that is an array. */
export function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  const value = object[name]
  if (!Array.isArray(value)) return none
  return value.every(isObject) ? value : value.filter(isObject)
}
