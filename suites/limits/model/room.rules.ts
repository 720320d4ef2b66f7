import type { Call } from '#judge/calls'
import { listedIds, listForm } from '#judge/sessions/listed-sessions'
import type { Rule } from '#judge/rule'
import { endedByItself } from '#judge/sessions/session-end'
import { isSettled } from '#judge/timing/lag'
import { mayHaveTimedOut } from '#judge/timing/own-timers'
import { missingAfter } from '#judge/timing/timeouts'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { capOf } from './places.rules.ts'
import { closedAt, createsOf, isCreate, overFrom, type Visit, visitsIn } from './sessions.ts'

const frees: RequirementId = 'limits.concurrency.slot-free-when-closed'
const holdsNothing: RequirementId = 'limits.concurrency.refused-create-holds-nothing'

const full = 30006

/**
 * A workspace in which fewer sessions are open than its profile declares has room, unless others use it: List Sessions
 * tells, before and after the create that was refused. What closes may hold a place unlisted: only when all places were taken
 * at the same time, by sessions of ours, is nothing older left that could.
 */
export const room: Rule = {
  id: 'limits.room',
  proves: [frees, holdsNothing],
  judge(trace, report) {
    const cap = capOf(trace)
    if (cap === undefined) return
    const visits = visitsIn(trace)
    const refused = visits.filter((visit) => isCreate(visit) && codeOf(visit.call) === full)
    const missing = refused.filter(
      (visit) => hasRoom(trace, visit, visits, cap) && isAlone(visit, visits) && wasFull(visit, visits, cap),
    )
    for (const { call } of missing) {
      const first = firstWithout(call, visits, cap)
      const lines = [call.line, call.answeredLine]
      const expected = `a place: fewer than ${cap} sessions are open, and nobody else is there`
      for (const row of blamed(first, visits, cap)) {
        report.broken(row, { expected, got: `code ${full}`, lines, scenario: call.scenario })
      }
    }
    if (missing.length === 0) credit(visits, cap, report)
  },
}

const codeOf = ({ answer }: Call): number | undefined => (answer.kind === 'failure' ? answer.code : undefined)

/** Whether sessions of ours had all places before. */
function wasFull({ call: { line } }: Visit, visits: readonly Visit[], cap: number): boolean {
  return visits.some(({ call }) => call.line < line && openBefore(call, visits) >= cap)
}

/** Whatever may hold a place is counted: sessions not known to be over, and creates of which nobody knows what came. */
function hasRoom(trace: TraceIndex, { call }: Visit, visits: readonly Visit[], cap: number): boolean {
  const ids = new Set(createsOf(visits).flatMap(({ id, from }) => (from < call.answeredLine ? [id] : [])))
  return mayHold(ids, call, visits, (id) => isOverBefore(trace, id, call, visits)) < cap
}

function mayHold(
  ids: ReadonlySet<string>,
  call: Call,
  visits: readonly Visit[],
  isOver: (id: string) => boolean,
): number {
  const holding = [...ids].filter((id) => !isOver(id)).length
  const lost = visits.filter(
    (visit) => isCreate(visit) && visit.call.line < call.answeredLine && isUnknown(visit.call) && visit.call !== call,
  )
  return holding + lost.length
}

/** The first create that found no place since one did, though there was to be one: what came later is not to blame. */
function firstWithout(last: Call, visits: readonly Visit[], cap: number): Call {
  const creates = visits.filter(isCreate).filter(({ call }) => call.line <= last.line)
  const since = creates.slice(creates.findLastIndex((visit) => createsOf([visit]).length > 0) + 1)
  const made = createsOf(visits)
  const found = since.find(({ call }) => {
    const ids = new Set(made.flatMap(({ id, from }) => (from < call.line ? [id] : [])))
    return codeOf(call) === full && mayHold(ids, call, visits, (id) => overFrom(id, visits) < call.line) < cap
  })
  return found?.call ?? last
}

/**
 * Told so before the create, and long enough ago for others to have heard of it. One that may have ended by itself may hold its
 * place until its close has cleaned up (3.1, 4.1), and Get, which said `closed` before, does not tell when that is.
 */
function isOverBefore(trace: TraceIndex, id: string, call: Call, visits: readonly Visit[]): boolean {
  const line = overFrom(id, visits)
  const told = visits.find((visit) => visit.call.answeredLine === line)
  if (line >= call.line || told === undefined) return false
  const { answeredT } = told.call
  return endedByItself(trace, id) || mayHaveTimedOut(trace, id, closedAt(id, visits))
    ? call.t - answeredT >= missingAfter(trace, 'closed_ms')
    : isSettled(trace, answeredT, call.t)
}

/** No answer, or one that does not say what was done. */
function isUnknown({ answer }: Call): boolean {
  if (answer.kind === 'success') return false
  return answer.kind !== 'failure' || answer.status >= 500
}

/** The last list before it and the first after it show sessions of ours, and no others. */
function isAlone({ call }: Visit, visits: readonly Visit[]): boolean {
  const ids = new Set(createsOf(visits).map(({ id }) => id))
  const lists = visits.filter(
    ({ operation, call: { data } }) => operation === 'list-avatar-sessions' && data !== undefined,
  )
  const form = new Map(lists.flatMap((list) => [...listForm(list.call.data, ids)]))
  const before = lists.findLast((list) => list.call.answeredLine < call.line)
  const after = lists.find((list) => list.call.line > call.answeredLine)
  if (form.size === 0 || before === undefined || after === undefined) return false
  return [before, after].every((list) => [...listedIds(list.call.data, form)].every((id) => ids.has(id)))
}

/**
 * What keeps a place that is missing: sessions that were closed, or creates that were refused, since sessions of ours had
 * all places. What would have left no place for a create that was accepted before does not, unless nothing else is left.
 */
function blamed(call: Call, visits: readonly Visit[], cap: number): readonly RequirementId[] {
  const past = visits.filter((visit) => visit.call.answeredLine < call.line)
  const whenFull = past.findLastIndex(
    (visit) => createsOf([visit]).length > 0 && openBefore(visit.call, visits) + 1 >= cap,
  )
  const refusedSince = past.slice(whenFull + 1).some((visit) => isCreate(visit) && codeOf(visit.call) !== undefined)
  if (whenFull >= 0 && !refusedSince) return [frees]
  const accepted = past.filter((visit) => createsOf([visit]).length > 0)
  const keeps = (counts: (visit: Visit) => boolean): boolean => {
    const all = past.filter(counts)
    const fits = accepted.every((one) => {
      const before = all.filter((visit) => visit.call.answeredLine < one.call.line)
      return openBefore(one.call, visits) + before.length < cap
    })
    return all.length > 0 && fits
  }
  const byClose = keeps(
    ({ operation, call: { answer } }) => operation === 'close-avatar-session' && answer.kind === 'success',
  )
  const codes = new Set(past.filter(isCreate).flatMap((visit) => codeOf(visit.call) ?? []))
  const byRefusal = [...codes].some((code) => keeps((visit) => isCreate(visit) && codeOf(visit.call) === code))
  if (byClose === byRefusal && codes.size > 0) return byClose ? [frees, holdsNothing] : [holdsNothing]
  return byRefusal ? [holdsNothing] : [frees]
}

/** Sessions that were made, and not asked to close, when a create was sent. */
function openBefore({ line }: Call, visits: readonly Visit[]): number {
  const made = createsOf(visits).filter(({ until }) => until < line)
  return new Set(made.map(({ id }) => id)).size - closedBefore(line, made, visits)
}

function closedBefore(line: number, made: readonly { readonly id: string }[], visits: readonly Visit[]): number {
  return [...new Set(made.map(({ id }) => id))].filter((id) => overFrom(id, visits) < line).length
}

/** Every place was taken anew once a session was closed, or a create refused. */
function credit(visits: readonly Visit[], cap: number, report: Parameters<Rule['judge']>[1]): void {
  for (const { call } of visits.filter((visit) => createsOf([visit]).length > 0)) {
    const past = visits.filter((visit) => visit.call.answeredLine < call.line)
    if (openBefore(call, visits) + 1 < cap) continue
    const row = [
      ...(past.some(({ operation }) => operation === 'close-avatar-session') ? [frees] : []),
      ...(past.some((visit) => isCreate(visit) && codeOf(visit.call) !== undefined) ? [holdsNothing] : []),
    ]
    for (const one of row) report.held(one, call.line)
  }
}
