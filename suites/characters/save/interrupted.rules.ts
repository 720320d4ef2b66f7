import { createdSession } from '#judge/answers'
import { clockOf } from '#judge/calls'
import type { Moment } from '#judge/conditions/points'
import type { Rule } from '#judge/rule'
import { sessionEnd } from '#judge/sessions/session-end'
import { isRecording } from '#judge/recordings'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, stringAt } from '#trace/json'

import { bodyOf, type Call, callsOf, dataOf, idInPath, lifeNamed, stateAt } from '../history.ts'

const kept: RequirementId = 'characters.deleted.running-session-kept'

/** A session that ends so soon after its character was deleted may have ended for that, in milliseconds. */
const soon_ms = 3_000

/** No chance brings an end that comes with the answer to the delete. */
const at_once_ms = 500

/**
 * "Sessions already running are not interrupted" (3.6). A service may end a session for reasons of its own (3.1): where it
 * did so elsewhere in the run, an end behind a delete proves nothing, and a single one a while later may be an accident.
 */
export const interruptedByDelete: Rule = {
  id: 'characters.interrupted-by-delete',
  proves: [kept],
  judge(trace, report) {
    const ends = endsOf(trace)
    const capricious = ends.some(({ deleted, timed }) => !deleted && !timed)
    const characters = new Set(ends.filter(({ deleted }) => deleted).map(({ record }) => characterOf(record)))
    for (const { deleted, atOnce, end, record } of ends) {
      if (!deleted) continue
      const isProven = atOnce || characters.size > 1
      const accident = isProven ? {} : { accident: 'the service may have ended it for reasons of its own' }
      const { scenario } = record
      if (capricious) report.unobserved(kept, 'model_choice', 'the service ends sessions by itself', end.line)
      else {
        const expected = 'a session that goes on when its character is deleted'
        report.broken(kept, { expected, got: 'it ended with the delete', lines: [end.line], scenario, ...accident })
      }
    }
  },
}

/** The end of a session that nobody asked for. */
interface End {
  readonly end: Moment
  readonly record: ExchangeRecord
  /** Its character was deleted a moment before. */
  readonly deleted: boolean
  /** It came with the answer to that. */
  readonly atOnce: boolean
  /** It may have had a timer of its own (`auto_close`, `max_duration_seconds`), or one that was saved. */
  readonly timed: boolean
}

function endsOf(trace: TraceIndex): readonly End[] {
  const deletes = callsOf(trace, 'delete-character').filter(({ record }) => dataOf(record) !== undefined)
  const closed = firstCloses(callsOf(trace, 'close-avatar-session'))
  return [...trace.exchanges.values()].flatMap((record) => {
    const session = createdSession(record)
    const end = session === undefined ? undefined : sessionEnd(trace, session)
    if (session === undefined || end === undefined || isClosedBefore(closed, session, end)) return []
    const character = characterOf(record)
    const causes = character === undefined ? [] : deletes.filter((call) => isBehind(call, character, end))
    const deleted = causes.length > 0 && !mayBeDue(trace, record, end)
    const atOnce = causes.some(({ answered }) => end.t - answered < at_once_ms)
    return [{ end, record, deleted, atOnce, timed: character !== undefined || hasTimer(record) }]
  })
}

/** By each part of the paths, an id among them: the line of the first close that names it. */
function firstCloses(closes: readonly Call[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>()
  for (const { record, from } of closes) {
    const path = record.attempts[0]?.request.entry.path ?? ''
    for (const segment of path.split('/').slice(1, -1)) first.set(segment, Math.min(first.get(segment) ?? from, from))
  }
  return first
}

function isClosedBefore(closed: ReadonlyMap<string, number>, session: string, end: Moment): boolean {
  return (closed.get(encodeURIComponent(session)) ?? Infinity) < end.line
}

function isBehind({ record, from, answered }: Call, character: string, end: Moment): boolean {
  return idInPath(record) === character && end.line > from && end.t - answered < soon_ms
}

function characterOf(record: ExchangeRecord): string | undefined {
  return stringAt(bodyOf(record), '/character_id')
}

/** Timers are counted from the answer or from later; they may be early by so much, in milliseconds. */
const early_ms = 1_000

/** The clock of `expires_at` and that of `Date` may be apart by so much more, in milliseconds. */
const apart_ms = 5_000

/**
 * Whether the session may have come to an end of its own: by a timer that its create told (2.1), was asked for, or was saved.
 * What nobody told of a recorded session may be due at any time: an app may delete a character when its time is up.
 */
function mayBeDue(trace: TraceIndex, record: ExchangeRecord, end: Moment): boolean {
  const [sent, answer] = [record.attempts[0]?.request.entry.t ?? 0, record.attempts.at(-1)?.response?.entry]
  const data = dataOf(record)
  const asked = at(bodyOf(record), '/max_duration_seconds') ?? savedDuration(trace, record)
  const now = clockOf(answer?.headers['date']) ?? Number.NaN
  const expires_ms = Date.parse(stringAt(data, '/expires_at') ?? '') - now
  if (isRecording(trace) && asked === undefined && Number.isNaN(expires_ms)) return true
  if (end.t - (answer?.t ?? 0) >= expires_ms - apart_ms) return true
  const seconds = [
    at(data, '/auto_close/disconnected_timeout_seconds'),
    at(data, '/auto_close/interaction_idle_timeout_seconds'),
    asked,
  ].map(Number)
  return seconds.some((one) => one > 0 && end.t - sent >= one * 1_000 - early_ms)
}

/** The duration that the character was saved with, where its configuration is certain. */
function savedDuration(trace: TraceIndex, record: ExchangeRecord): Json | undefined {
  const start = callsOf(trace, 'create-session-from-character').find((call) => call.record === record)
  const life = start && lifeNamed(trace, start, characterOf(record))
  const save = life && stateAt(life, start.from, start.until)
  return typeof save === 'object' ? save.body['max_duration_seconds'] : undefined
}

function hasTimer(record: ExchangeRecord): boolean {
  const body = bodyOf(record)
  return !isObject(body) || Object.hasOwn(body, 'auto_close') || Object.hasOwn(body, 'max_duration_seconds')
}
