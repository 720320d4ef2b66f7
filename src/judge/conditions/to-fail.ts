import type { Condition } from '#trace/claim'
import { readOnce } from '../read-once.ts'
import type { TraceIndex } from '../trace-index.ts'

/** Whether an `error` over the event is what is claimed: whatever it says, the event was to do nothing. */
export function isToFail(trace: TraceIndex, id: unknown): boolean {
  return typeof id === 'string' && idsToFail(trace).has(id)
}

const idsToFail = readOnce(
  (trace: TraceIndex): ReadonlySet<unknown> =>
    new Set(trace.claims.flatMap(({ entry }) => idsOfErrors(entry.condition))),
)

/** Whether something is claimed only where an `error` comes over the event: it is of what follows. */
export function isFailedFirst(trace: TraceIndex, id: unknown): boolean {
  return typeof id === 'string' && idsFailedFirst(trace).has(id)
}

const idsFailedFirst = readOnce(
  (trace: TraceIndex): ReadonlySet<unknown> =>
    new Set(trace.claims.flatMap(({ entry }) => (entry.given ?? []).flatMap(idsOfErrors))),
)

/** Events of ours over which a condition wants an `error`. */
function idsOfErrors(condition: Condition): readonly unknown[] {
  if (condition.is === 'all') return condition.of.flatMap(idsOfErrors)
  // What may be refused, and may as well be done, is not to fail.
  if (condition.is === 'any') return condition.of.every(isOfFailure) ? condition.of.flatMap(idsOfErrors) : []
  return condition.is === 'eventually' ? condition.match.map(({ where = {} }) => where['/error/event_id']) : []
}

/** Whether nothing but a failure fits: an `error`, or an update that does not complete. */
function isOfFailure(condition: Condition): boolean {
  if (condition.is === 'any' || condition.is === 'all') return condition.of.every(isOfFailure)
  return condition.is === 'eventually' && condition.match.every(({ type = '' }) => ends.has(type))
}

const ends: ReadonlySet<string> = new Set(['error', 'session.update.done'])
