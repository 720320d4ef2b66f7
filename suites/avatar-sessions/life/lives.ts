import { workspaceOf } from '#spec/profile'
import type { Answer } from '#judge/answer'
import { type Call, callOf } from '#judge/calls'
import { isAskedInPart } from '#judge/sessions/listed-sessions'
import type { Moment } from '#judge/conditions/points'
import { channelsOf } from '#judge/operations'
import { readOnce } from '#judge/read-once'
import { endedByItself, ending, speaksOfEnd, stateIn } from '#judge/sessions/session-end'
import { isSettled } from '#judge/timing/lag'
import { sessionIn } from '#judge/sessions/session-in'
import { sureLife_ms } from '#judge/timing/sure-life'
import type { Attempt, ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { decoded } from '#trace/decoded'
import { at, isObject, type Json, type JsonObject, words } from '#trace/json'

/** What a trace tells of one avatar session, by the calls that were about it. */
export interface Life {
  readonly id: string
  readonly workspace: string
  readonly key: string
  readonly created: Call
  readonly asked: JsonObject
  readonly data: JsonObject
  /** No timer ends it sooner than so many milliseconds after its create. */
  readonly lasts_ms: number
  readonly gets: Call[]
  readonly closes: Call[]
}

/** An attempt to create a session. */
export interface Create {
  readonly call: Call
  readonly asked: JsonObject
}

export interface Lives {
  readonly lives: ReadonlyMap<string, Life>
  /** Sessions that were started from a character. */
  readonly started: ReadonlyMap<string, Life>
  /** List Sessions, by whichever key, where all open ones are asked for. */
  readonly lists: readonly Call[]
  /** Every attempt of Create Session, in the order of sending. */
  readonly creates: readonly Create[]
  /** The same of Create Session from Character. */
  readonly starts: readonly Create[]
  /** Gets of sessions that no answer to a create of this run told of. */
  readonly strays: readonly { readonly id: string; readonly call: Call }[]
}

const states = ['active', 'closing', 'closed', 'failed']
const known = new WeakMap<TraceIndex, Lives>()

/** Reads the lives of all avatar sessions out of a trace, once. */
export function livesOf(trace: TraceIndex): Lives {
  const found = known.get(trace)
  if (found !== undefined) return found
  const [lives, started] = [new Map<string, Life>(), new Map<string, Life>()]
  const lists: Call[] = []
  const creates: Create[] = []
  const starts: Create[] = []
  for (const record of trace.exchanges.values()) {
    for (const attempt of record.attempts) {
      const call = callOf(record, attempt)
      if (record.operation === 'create-avatar-session') addCreate(trace, lives, creates, call, attempt)
      else if (record.operation === 'create-session-from-character') addCreate(trace, started, starts, call, attempt)
      else if (record.operation === 'list-avatar-sessions' && !isAskedInPart(attempt.request.entry)) lists.push(call)
    }
  }
  const strays: { id: string; call: Call }[] = []
  const all = new Map([...lives, ...started])
  for (const record of trace.exchanges.values()) addVisit(all, strays, record)
  const result = { lives, started, lists, creates, starts, strays }
  known.set(trace, result)
  return result
}

/** The status that Get Session shows of its session, where it shows one of the four: its payload is not shown. */
export function statusIn(answer: Answer, id: string): string | undefined {
  const status = answer.kind === 'success' ? stateIn(answer.data, id) : undefined
  return isStatus(status) ? status : undefined
}

/** One of the four states (2.1). */
export function isStatus(status: Json | undefined): status is string {
  return typeof status === 'string' && states.includes(status)
}

function addCreate(trace: TraceIndex, lives: Map<string, Life>, creates: Create[], call: Call, attempt: Attempt): void {
  const asked = isObject(attempt.request.entry.body) ? attempt.request.entry.body : {}
  creates.push({ call, asked })
  const data = call.answer.kind === 'success' && isObject(call.answer.data) ? call.answer.data : undefined
  const id = at(data, '/session_id')
  if (data === undefined || typeof id !== 'string' || id === '' || lives.has(id)) return
  const workspace = workspaceOf(call.key)
  const lasts_ms = sureLife_ms(trace, call)
  lives.set(id, { id, workspace, key: call.key, created: call, asked, data, lasts_ms, gets: [], closes: [] })
}

function addVisit(
  lives: ReadonlyMap<string, Life>,
  strays: { id: string; call: Call }[],
  record: ExchangeRecord,
): void {
  const closing = record.operation === 'close-avatar-session'
  if (!closing && record.operation !== 'get-avatar-session') return
  for (const attempt of record.attempts) {
    const id = sessionIn(attempt.request.entry.path)
    const life = id === undefined ? undefined : lives.get(id)
    if (life !== undefined) (closing ? life.closes : life.gets).push(callOf(record, attempt))
    else if (id !== undefined && !closing) strays.push({ id, call: callOf(record, attempt) })
  }
}

/** The words in the answer to a call, where it was accepted. */
export const wordsIn = readOnce(({ answer }: Call) => words(answer.kind === 'success' ? answer.data : undefined))

/** What separates an id from the rest of an address or a sentence. */
const separators = /[\s/?#&=,;"'<>()[\]]+/

/** The same with the parts of longer texts: a list may show a session by its address, or all of them in one text. */
export const partsIn = readOnce((call: Call): ReadonlySet<string> => {
  const parts = [...wordsIn(call)].flatMap((word) => word.split(separators).map(decoded))
  return wordsIn(call).union(new Set(parts))
})

/** By word the last list that shows it. */
const lastListed = readOnce((trace: TraceIndex): ReadonlyMap<string, Call> => {
  const last = new Map<string, Call>()
  for (const list of livesOf(trace).lists) {
    for (const word of wordsIn(list)) if (list.line > (last.get(word)?.line ?? 0)) last.set(word, list)
  }
  return last
})

/** Whether nothing that we or a timer did can have ended the session before `t`: it was open. */
export function surelyOpen({ created, closes, lasts_ms, workspace }: Life, t: number, line: number): boolean {
  // Another workspace does not find it.
  const counts = ({ key, answer }: Call): boolean => workspaceOf(key) === workspace || answer.kind !== 'failure'
  return t - created.t < lasts_ms && !closes.some((close) => close.line < line && counts(close))
}

/**
 * Whether the session was open when something asked at a moment was answered, by what was seen later: a Get that says
 * so (where it says nothing of how the session fares, it may have ended), a close that begins, an event on a connection,
 * another list. A service may end a session by itself (3.1), and need not tell us.
 */
export function seenOpenAfter(trace: TraceIndex, { id, gets, closes }: Life, moment: Moment): boolean {
  const { line, t } = moment
  // What ended by itself may have done so before, and be shown by a copy that is behind.
  const ended = endedByItself(trace, id)
  const tells = (read: Call): boolean => read.line > line && (!ended || isSettled(trace, t, read.t))
  if (closes.some((close) => close.line > line && statusIn(close.answer, id) === 'closing')) return true
  if (
    gets.some(
      (get) => tells(get) && get.answer.kind === 'success' && speaksOfEnd(get.answer.data, ending, id) === false,
    )
  )
    return true
  const list = lastListed(trace).get(id)
  if (list !== undefined && tells(list)) return true
  return channelsOf(trace, id).some(({ frames }) =>
    frames.some((frame) => frame.line > line && frame.direction === 'received' && frame.type !== 'session.closed'),
  )
}
