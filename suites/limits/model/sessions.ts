import { type Call, callOf } from '#judge/calls'
import { stateBySecret } from '#judge/conditions/admission'
import { readOnce } from '#judge/read-once'
import { channelsOf, createsAvatarSession } from '#judge/operations'
import { stateIn } from '#judge/sessions/session-end'
import { sessionIn } from '#judge/sessions/session-in'
import { lagOf } from '#judge/timing/lag'
import type { TraceIndex } from '#judge/trace-index'
import { textAt } from '#trace/json'
import { propertyId } from './moves.ts'
import type { Deed } from './places-model.ts'

/** One request of the walk. */
export interface Visit {
  readonly operation: string
  readonly path: string
  readonly call: Call
}

export const isCreate = ({ operation }: Visit): boolean => createsAvatarSession(operation)

/** What the walk asked of each session. */
const bySession = readOnce((visits: readonly Visit[]) => Map.groupBy(visits, ({ path }) => sessionIn(path)))

function about(id: string, visits: readonly Visit[]): readonly Visit[] {
  return bySession(visits).get(id) ?? []
}

/** All that the walk asked of the workspace, in the order of asking. */
export function visitsIn(trace: TraceIndex): readonly Visit[] {
  const visits = [...trace.exchanges.values()].flatMap((record): readonly Visit[] => {
    const { operation, scenario, attempts } = record
    if (operation === null || scenario !== propertyId) return []
    return attempts.map((attempt) => ({ operation, path: attempt.request.entry.path, call: callOf(record, attempt) }))
  })
  return visits.toSorted((one, other) => one.call.line - other.call.line)
}

/** Accepted creates. */
export function createsOf(visits: readonly Visit[]): readonly Deed[] {
  return visits.filter(isCreate).flatMap(({ call }): readonly Deed[] => {
    const id = textAt(call.data, '/session_id')
    if (id === undefined) return []
    const { line: from, answeredLine: until, scenario } = call
    return [{ did: 'create', id, from, until, lines: [from, until], scenario }]
  })
}

/** The line at which a session was asked to close. */
export function closeOf(id: string, visits: readonly Visit[]): number {
  return firstClose(id, visits)?.line ?? Infinity
}

/** When it was asked to, in milliseconds. */
export function closedAt(id: string, visits: readonly Visit[]): number {
  return firstClose(id, visits)?.t ?? -Infinity
}

function firstClose(id: string, visits: readonly Visit[]): Call | undefined {
  return about(id, visits).find(({ operation }) => operation === 'close-avatar-session')?.call
}

/**
 * When a session was last known to hold a place: asked to close, or seen to be active, whichever came first. A service may
 * close a session by itself (3.1): it counts no longer than it was seen to be open, and a Get may be behind. What Get does not
 * tell an opening with the session's secret does, which is let in only while it goes on (5.3).
 */
export function endOf(trace: TraceIndex, { id, until, scenario }: Deed, visits: readonly Visit[]): Deed {
  const seen = about(id, visits).filter(
    ({ operation, call }) => operation === 'get-avatar-session' && stateIn(call.data, id) === 'active',
  )
  const opened = channelsOf(trace, id).flatMap((channel) =>
    stateBySecret(trace, channel) === 'active' ? [channel.open.line] : [],
  )
  const last = Math.max(until, ...opened, ...seen.map(({ call }) => momentBefore(call.t - lagOf(trace), visits)))
  const moment = Math.min(closeOf(id, visits), last)
  return { did: 'end', id, from: moment, until: moment, lines: [Math.floor(moment)], scenario }
}

/** Just behind the line of what was answered last by this time. */
function momentBefore(t: number, visits: readonly Visit[]): number {
  const lines = visits.flatMap(({ call }) => (call.answeredT <= t ? [call.answeredLine] : []))
  return Math.max(...lines) + 0.5
}

/** From when on a session that we closed is over for sure: the line of the answer that said so. */
export function overFrom(id: string, visits: readonly Visit[]): number {
  const own = about(id, visits)
  const closed = own.find(
    ({ operation, call }) => operation === 'close-avatar-session' && call.answer.kind === 'success',
  )
  const from = closed?.call.answeredLine ?? Infinity
  const told = own.find(
    ({ operation, call }) => operation === 'get-avatar-session' && call.line > from && isOver(call, id),
  )
  return told?.call.answeredLine ?? Infinity
}

function isOver({ answer, data }: Call, id: string): boolean {
  if (answer.kind === 'failure') return answer.code === 20005
  return ['closed', 'failed'].includes(stateIn(data, id) ?? '')
}
