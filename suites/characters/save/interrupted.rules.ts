import { createdSession } from '#judge/answers'
import type { Moment } from '#judge/conditions/points'
import type { Rule } from '#judge/rule'
import { sessionEnd } from '#judge/session-end'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { isObject, stringAt } from '#trace/json'

import { bodyOf, type Call, callsOf, dataOf, idInPath } from '../history.ts'

const kept: RequirementId = 'characters.deleted.running-session-kept'

/** A session that ends so soon after its character was deleted ended for that, in milliseconds. */
const at_once = 3_000

/**
 * "Sessions already running are not interrupted" (3.6). A service may end a session for reasons of its own: where it did
 * so elsewhere in the run, an end behind a delete proves nothing.
 */
export const interruptedByDelete: Rule = {
  id: 'characters.interrupted-by-delete',
  proves: [kept],
  judge(trace, report) {
    const ends = endsOf(trace)
    const capricious = ends.some(({ deleted, timed }) => !deleted && !timed)
    for (const { deleted, end, record } of ends) {
      if (!deleted) continue
      const { scenario } = record
      if (capricious) report.unobserved(kept, 'model_choice', 'the service ends sessions by itself', end.line)
      else {
        const expected = 'a session that goes on when its character is deleted'
        report.broken(kept, { expected, got: 'it ended with the delete', lines: [end.line], scenario })
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
    const character = stringAt(bodyOf(record), '/character_id')
    const deleted = character !== undefined && deletes.some((call) => isBehind(call, character, end))
    return [{ end, record, deleted, timed: character !== undefined || hasTimer(record) }]
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
  return idInPath(record) === character && end.line > from && end.t - answered < at_once
}

function hasTimer(record: ExchangeRecord): boolean {
  const body = bodyOf(record)
  return !isObject(body) || Object.hasOwn(body, 'auto_close') || Object.hasOwn(body, 'max_duration_seconds')
}
