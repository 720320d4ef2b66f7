import { decoded } from '#trace/decoded'
import { answerOf } from '#judge/answers'
import { clockOf } from '#judge/calls'
import { isOwnCharacter } from '#judge/conditions/own-things'
import { faultyExchanges } from '#judge/faulty/exchanges'
import { isSettled } from '#judge/timing/lag'
import { exchangesOf } from '#judge/operations'
import { readOnce } from '#judge/read-once'
import { isRecording } from '#judge/recordings'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import { isMishap } from '#spec/tables'
import { at, isObject, type Json, type JsonObject, stringAt } from '#trace/json'

/** A call that was answered, with the lines between which it took effect. */
export interface Call {
  readonly record: ExchangeRecord
  readonly key: string
  readonly from: number
  readonly until: number
  /** Milliseconds of the run at which it was sent and answered. */
  readonly sent: number
  readonly answered: number
}

/** An accepted create or replace. */
export interface Save extends Call {
  readonly id: string
  readonly by: 'create' | 'replace'
  readonly body: JsonObject
  readonly data: JsonObject
  /** What stood there before. */
  readonly before: Save | undefined
}

/** What one character was told to be, by everything that was sent about it. */
export interface Life {
  readonly id: string
  readonly created: Save
  readonly changes: readonly Change[]
}

export interface Change extends Call {
  /** `none`: it was refused. `unknown`: nobody can tell, or the body is one that should have been refused. */
  readonly effect: Save | 'deleted' | 'none' | 'unknown'
}

const known = new WeakMap<TraceIndex, ReadonlyMap<string, Life>>()

/** "Scoped to the workspace identified by the API key" (1.6): another one may have a character of the same id. */
export function ownName(key: string, id: string): string {
  return JSON.stringify([workspaceOf(key), id])
}

/** Who names a character, and at which line of the trace. */
type Asker = Pick<Call, 'key' | 'from'>

/** The character that is meant by an id: that of the own workspace, or else that of another one. */
export function lifeNamed(trace: TraceIndex, asker: Asker, id: string | undefined): Life | undefined {
  return id === undefined ? undefined : meant(trace, livesOf(trace), { ...asker, id })
}

/** Where ids are counted in each workspace, one of an earlier run may have the id of a character of another workspace (1.6). */
function meant<One extends Life>(
  trace: TraceIndex,
  lives: ReadonlyMap<string, One>,
  { key, from, id }: Asker & { readonly id: string },
): One | undefined {
  const own = lives.get(ownName(key, id))
  if (own !== undefined) return own
  const other = lives.values().find((one) => one.id === id)
  return other !== undefined && isOwnCharacter(trace, workspaceOf(key), id, from) ? undefined : other
}

/** The character that the path of a call names. */
export function lifeIn(trace: TraceIndex, record: ExchangeRecord): Life | undefined {
  return lifeOf(trace, livesOf(trace), record)
}

/** What another workspace is shown with another time of its creation is another one that is called the same. */
function lifeOf<One extends Life>(
  trace: TraceIndex,
  lives: ReadonlyMap<string, One>,
  record: ExchangeRecord,
): One | undefined {
  const [id, from] = [idInPath(record), record.attempts[0]?.request.line]
  const life = id === undefined || from === undefined ? undefined : meant(trace, lives, { key: record.key, from, id })
  if (life === undefined || workspaceOf(record.key) === workspaceOf(life.created.key)) return life
  const [made, shown] = [life.created.data, dataOf(record)].map((data) => at(data, '/created_at'))
  return made !== undefined && shown !== undefined && made !== shown ? undefined : life
}

/** Every character that the run made, in the order of the answers. */
export function livesOf(trace: TraceIndex): ReadonlyMap<string, Life> {
  const found = known.get(trace)
  if (found !== undefined) return found
  const lives = new Map<string, { id: string; created: Save; changes: Change[] }>()
  const faulty = faultyExchanges(trace)
  for (const call of callsOf(trace, 'create-character')) {
    const made = saveOf(call, 'create', undefined)
    const name = ownName(call.key, made?.id ?? '')
    if (made !== undefined && !lives.has(name) && !mayBeOld(trace, call)) {
      const effect = faulty.has(call.record.exchange) ? 'unknown' : made
      lives.set(name, { id: made.id, created: made, changes: [{ ...call, effect }] })
    }
  }
  const later = [...callsOf(trace, 'replace-character'), ...callsOf(trace, 'delete-character')]
  for (const call of later.toSorted((one, other) => one.from - other.from)) {
    const life = lifeOf(trace, lives, call.record)
    if (life === undefined) continue
    const isOwn = workspaceOf(call.key) === workspaceOf(life.created.key)
    const before = stateAt(life, call.from, call.until)
    const effect = isMissed(call, life) ? 'unknown' : effectOf(call, { before, isOwn }, faulty)
    life.changes.push({ ...call, effect })
  }
  known.set(trace, lives)
  return lives
}

/** So old an answer shows something to be that it was not made just now, in milliseconds; clocks may be apart by less. */
const fresh_ms = 60_000

/** A shorter key may be an app's for one of its users; a longer one was most likely made for one request alone. */
const shortestUnique = 16

/**
 * Whether what a call tells of may have been made long before it: a recording may begin in the middle, and an app may make sure
 * of what it needs at each start, under one key. A time in the answer that is about its `Date` shows that it was made just now,
 * and one that lies behind that shows that it was not, whatever the key: the id of a user is long, too. Where no time tells, a
 * long key does, unless its first try was before the recording.
 */
export function mayBeOld(trace: TraceIndex, { record, sent }: Call): boolean {
  const key = stringAt(bodyOf(record), '/idempotency_key')
  if (!isRecording(trace) || key === undefined) return false
  const made = Date.parse(stringAt(dataOf(record), '/created_at') ?? '')
  const age_ms = (clockOf(record.attempts.at(-1)?.response?.entry.headers['date']) ?? Number.NaN) - made
  if (age_ms >= fresh_ms) return true
  return !(Math.abs(age_ms) < fresh_ms) && !(key.length >= shortestUnique && sent > fresh_ms)
}

/** Whether two calls were under way at the same time. */
export function areBeside(one: Pick<Call, 'from' | 'until'>, other: Pick<Call, 'from' | 'until'>): boolean {
  return one.from < other.until && other.from < one.until
}

/** What a character was while a call was under way, or undefined where that is not certain. */
export function stateAt(life: Life, from: number, until: number): Save | 'deleted' | undefined {
  let last: Change | undefined
  for (const change of life.changes) {
    if (change.effect === 'none') continue
    if (areBeside(change, { from, until })) return undefined
    if (change.until <= from) last = change
  }
  if (last === undefined || last.effect === 'none' || last.effect === 'unknown') return undefined
  // Of two that ran beside each other, either may have come last.
  for (const change of life.changes) {
    const past = change.effect !== 'none' && change !== last && change.until <= from
    if (past && change.until > last.from) return undefined
  }
  return last.effect
}

/** Whether a read that was sent at `asked` shows all that was written of a character before: it may be behind. */
export function isCaughtUp(trace: TraceIndex, life: Life, { from, sent }: Pick<Call, 'from' | 'sent'>): boolean {
  const written = life.changes.filter(({ effect, until }) => effect !== 'none' && until <= from)
  return written.every(({ answered }) => isSettled(trace, answered, sent))
}

/** Calls of an operation, each with the whole time in which it may have taken effect. */
export function callsOf(trace: TraceIndex, operation: string): readonly Call[] {
  return reader(trace)(operation)
}

/** Reads each operation once. */
const reader = readOnce((trace: TraceIndex) => {
  const read = new Map<string, readonly Call[]>()
  return (operation: string): readonly Call[] => {
    const calls = read.get(operation) ?? readCalls(exchangesOf(trace, operation))
    read.set(operation, calls)
    return calls
  }
})

function readCalls(records: readonly ExchangeRecord[]): readonly Call[] {
  return records.flatMap((record) => {
    const [first, last] = [record.attempts[0], record.attempts.at(-1)]
    if (first === undefined || last === undefined) return []
    const end = last.response
    const { line: from, entry } = first.request
    const [until, answered] = end === undefined ? [Infinity, Infinity] : [end.line, end.entry.t]
    return [{ record, key: record.key, from, until, sent: entry.t, answered }]
  })
}

/** The id in the path of a call about one character. */
export function idInPath(record: ExchangeRecord): string | undefined {
  const path = record.attempts[0]?.request.entry.path ?? ''
  const id = /\/v1\/characters\/([^/?]+)/.exec(path)?.[1]
  return id === undefined ? undefined : decoded(id)
}

export function bodyOf(record: ExchangeRecord): Json | undefined {
  return record.attempts.at(-1)?.request.entry.body
}

/** `data` of an accepted call. */
export function dataOf(record: ExchangeRecord): JsonObject | undefined {
  const answer = answerOf(record)
  return answer.kind === 'success' && isObject(answer.data) ? answer.data : undefined
}

function saveOf(call: Call, by: Save['by'], before: Save | undefined): Save | undefined {
  const [body, data] = [bodyOf(call.record), dataOf(call.record)]
  const id = by === 'create' ? at(data, '/character_id') : idInPath(call.record)
  if (!isObject(body) || data === undefined || typeof id !== 'string' || id === '') return undefined
  return { ...call, id, by, body, data, before }
}

/**
 * "Not found" (20005) to a delete of a character of the own workspace says that it is not there. A proxy may send a DELETE
 * again by itself (RFC 9110, 9.2.2), and this is then the answer to the second one.
 */
function isMissed({ record, key }: Call, { created }: Life): boolean {
  if (record.operation !== 'delete-character' || workspaceOf(key) !== workspaceOf(created.key)) return false
  const answer = answerOf(record)
  return answer.kind === 'failure' && answer.code === 20005
}

function effectOf(
  call: Call,
  { before, isOwn }: { readonly before: Save | 'deleted' | undefined; readonly isOwn: boolean },
  faulty: ReadonlySet<number>,
): Change['effect'] {
  const answer = answerOf(call.record)
  const lost = call.record.attempts.slice(0, -1).some(({ response }) => response === undefined)
  // A mishap says nothing of what was done; a 5xx with a code of section 7 is a refusal.
  if (answer.kind === 'failure') return lost || isMishap(answer) ? 'unknown' : 'none'
  if (answer.kind !== 'success' || faulty.has(call.record.exchange)) return 'unknown'
  // What another workspace deletes may be its own that is called the same.
  if (call.record.operation === 'delete-character') return isOwn ? 'deleted' : 'unknown'
  return saveOf(call, 'replace', before === 'deleted' ? undefined : before) ?? 'unknown'
}
