import { workspaceOf } from '#spec/profile'
import { at, below, isObject, type Json, textAt, textsIn } from '#trace/json'
import { answerTo, createdSession } from '../answers.ts'
import type { Moment } from '../conditions/points.ts'
import { readOnce } from '../read-once.ts'
import { sessionIn } from './session-in.ts'
import type { ChannelRecord, ExchangeRecord, FrameRecord, TraceIndex } from '../trace-index.ts'

/** When sessions were over, as far as their control channels tell. */
const endsIn = readOnce(readEnds)

/** States of sessions that are over, or on their way there. */
export const ending: readonly string[] = ['closing', 'closed', 'failed']

/** What a status of a session may say (2.1, 2.11); where it says something else, it is that of something else. */
const states: readonly string[] = ['provisioning', 'active', ...ending]

/** A session that ends so soon after something ended before its time ended it, in milliseconds. */
const afterwards_ms = 2_000

/**
 * Whether what was over at `t` may have been cut short by this end: it is told after what it cuts (6.2).
 *
 * @param within_ms how much later it may be told
 */
export function mayHaveCut(end: Pick<Moment, 't'>, t: number, within_ms = afterwards_ms): boolean {
  return end.t >= t && end.t - t < within_ms
}

/**
 * When a session was over by itself or by our close, as far as its control channel tells: with `session.closed` (6.2), or
 * where the service ended or refused a connection and Get then shows that the session had ended, though we had not closed it. "The
 * service may also close a session for account limits, idle timeout, failures or maintenance" (3.1): whatever was asked
 * before and is not answered yet stays undecided.
 */
export function sessionEnd(trace: TraceIndex, session: string): Moment | undefined {
  return endsIn(trace).get(session)
}

/**
 * Whether the service told of an end for which nobody had asked (3.1), on a control channel or by Get. When it came is not
 * known.
 */
export function endedByItself(trace: TraceIndex, session: string): boolean {
  const { asked, shown } = closuresIn(trace)
  const first = asked.get(session) ?? Number.POSITIVE_INFINITY
  const told = sessionEnd(trace, session)?.line ?? Number.POSITIVE_INFINITY
  return told < first || (shown.get(session)?.answered ?? Number.POSITIVE_INFINITY) < first
}

/** Whether Get had shown by this line that the session was over, though nobody had asked for its end: what came later is not why. */
export function endShownBefore(trace: TraceIndex, session: string, line: number): boolean {
  const { asked, shown } = closuresIn(trace)
  const first = shown.get(session)
  return first !== undefined && first.answered < line && first.asked < (asked.get(session) ?? Number.POSITIVE_INFINITY)
}

function readEnds(trace: TraceIndex): ReadonlyMap<string, Moment> {
  const { asked, shown, untold } = closuresIn(trace)
  const heard = lastHeard(trace)
  const ends = new Map<string, Moment>()
  for (const channel of trace.channels.values()) {
    const { session } = channel
    const told = channel.frames.find(isSessionClosed)
    const cut = cutOff(channel, shownFirst(shown.get(session), asked.get(session)))
    const end = told ?? cut ?? (untold.has(session) ? lastCut(channel, heard.get(session)) : undefined)
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

/** A connection that the service ended, or refused to open, before Get showed the end of the session. */
function cutOff({ closed, refused }: ChannelRecord, shown: number | undefined): Moment | undefined {
  if (refused?.entry.reason === 'status' && shown !== undefined && refused.line < shown)
    return { line: refused.line, t: refused.entry.t }
  if (closed === undefined || shown === undefined || closed.line > shown) return undefined
  const { by, t } = closed.entry
  return by === 'target' || by === 'network' ? { line: closed.line, t } : undefined
}

/**
 * `session.closed` may be missed (6.2), and what Get tells is not shown (4.1): where it never tells how the session fares, one
 * that is not heard any more from when the service ended its connection may have ended then.
 */
function lastCut({ closed, frames }: ChannelRecord, heard = Number.POSITIVE_INFINITY): Moment | undefined {
  const isCut = closed?.entry.by === 'target' && closed.line > heard && frames.some(isReceived)
  return isCut ? { line: closed.line, t: closed.entry.t } : undefined
}

const isReceived = ({ direction }: FrameRecord): boolean => direction === 'received'

/** By session: the line of the last frame on any of its connections. */
function lastHeard(trace: TraceIndex): ReadonlyMap<string, number> {
  const heard = new Map<string, number>()
  for (const { session, frames } of trace.channels.values()) {
    const last = frames.findLast(isReceived)?.line ?? 0
    heard.set(session, Math.max(heard.get(session) ?? 0, last))
  }
  return heard
}

/** Lines of a Get that shows the end of its session. */
interface Shown {
  readonly asked: number
  readonly answered: number
}

/** Where Get shows the end before we asked for a close. */
function shownFirst(shown: Shown | undefined, ours: number | undefined): number | undefined {
  return shown !== undefined && shown.asked < (ours ?? Number.POSITIVE_INFINITY) ? shown.asked : undefined
}

interface Closures {
  /** By session: the line at which we first asked for a close. */
  readonly asked: ReadonlyMap<string, number>
  /** By session: the first Get that shows its end. */
  readonly shown: ReadonlyMap<string, Shown>
  /** Sessions that Get found, of which it never told whether they go on. */
  readonly untold: ReadonlySet<string>
}

const closuresIn = readOnce((trace: TraceIndex): Closures => {
  const asked = new Map<string, number>()
  const shown = new Map<string, Shown>()
  const [found, told] = [new Set<string>(), new Set<string>()]
  const owners = new Map<string, string>()
  for (const record of trace.exchanges.values()) {
    const made = createdSession(record)
    if (made !== undefined) owners.set(made, record.key)
    const session = sessionIn(record.attempts[0]?.request.entry.path ?? '')
    const first = record.attempts[0]?.request.line
    if (session === undefined || first === undefined) continue
    if (record.operation === 'close-avatar-session') asked.set(session, Math.min(asked.get(session) ?? first, first))
    if (record.operation !== 'get-avatar-session') continue
    const said = saysOfEnd(record, session, owners.get(session))
    if (said === undefined) continue
    ;(said === 'nothing' ? found : told).add(session)
    if (said !== 'over' || shown.has(session)) continue
    const last = record.attempts.at(-1)
    const line = last?.request.line ?? first
    shown.set(session, { asked: line, answered: last?.response?.line ?? line })
  }
  return { asked, shown, untold: found.difference(told) }
})

/** What Get says of its session; undefined where it was refused. Another workspace does not find it, whatever became of it. */
function saysOfEnd(
  record: ExchangeRecord,
  session: string,
  owner = record.key,
): 'over' | 'goes on' | 'nothing' | undefined {
  const attempt = record.attempts.at(-1)
  const answer = attempt === undefined ? undefined : answerTo(attempt)
  if (answer?.kind === 'failure')
    return answer.code === 20005 && workspaceOf(record.key) === workspaceOf(owner) ? 'over' : undefined
  if (answer?.kind !== 'success') return undefined
  const ended = speaksOfEnd(answer.data, ending, session)
  if (ended === undefined) return 'nothing'
  return ended ? 'over' : 'goes on'
}

/**
 * What the data of Get say of the session that was asked for. Their payload is not shown (4.1): where they have no status of
 * a session, that beside its id counts (where the id is not known, that of the one session which they name), whatever else
 * they list, or else that of the only member that is called a session. A state that stands elsewhere may be that of another
 * session, or of something else.
 */
export function stateIn(data: Json | undefined, session?: string): string | undefined {
  return (
    statusOf(data) ?? (session === undefined ? statusOfNamed(data) : statusBeside(data, session)) ?? statusOfSole(data)
  )
}

/**
 * Whether the data of Get say that the session has ended, or is about to, for what has to be decided somehow: where they do
 * not tell how it fares, whichever member says so, while none says something else.
 *
 * @returns undefined where they say neither, and have no status at all
 */
export function speaksOfEnd(data: Json | undefined, ended = ending, session?: string): boolean | undefined {
  const state = stateIn(data, session)
  if (state !== undefined) return ended.includes(state)
  const texts = new Set(textsIn(data))
  const said = states.filter((one) => texts.has(one))
  if (said.length > 0) return said.every((one) => ended.includes(one))
  return typeof at(data, '/status') === 'string' ? false : undefined
}

function statusOf(thing: Json | undefined): string | undefined {
  return ['/status', '/state'].map((place) => at(thing, place)).find(isState)
}

function isState(status: Json | undefined): status is string {
  return typeof status === 'string' && states.includes(status)
}

/** The status beside the id of the session, at any depth. */
function statusBeside(data: Json | undefined, session: string): string | undefined {
  return sole(below(data).filter((one) => textAt(one, '/session_id') === session))
}

/** The status of the only member that names a session beside its status; items of a list are other ones. */
function statusOfNamed(data: Json | undefined): string | undefined {
  const members = isObject(data) ? Object.values(data) : []
  const [status, ...others] = members
    .filter((member) => textAt(member, '/session_id') !== undefined)
    .flatMap((member) => statusOf(member) ?? [])
  return others.length === 0 ? status : undefined
}

/** The status of a member that is called a session, and bears no id of another one. */
function statusOfSole(data: Json | undefined): string | undefined {
  const members = isObject(data) ? Object.entries(data) : []
  const called = members.filter(([name, member]) => /session$/iu.test(name) && at(member, '/session_id') === undefined)
  return sole(called.map(([, member]) => member))
}

/** The one status that all of them have which have any. */
function sole(things: readonly (Json | undefined)[]): string | undefined {
  const [status, ...others] = new Set(things.flatMap((one) => statusOf(one) ?? []))
  return others.length === 0 ? status : undefined
}
