import { isObject } from '#trace/json'
import { createdSession } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import { endedByItself, sessionEnd } from '../sessions/session-end.ts'
import type { ExchangeRecord, TraceIndex } from '../trace-index.ts'

/**
 * Whether a session that has timers ended though nobody asked for it, and the service ended another one of this run, that has
 * none, in the same way ("for account limits, idle timeout, failures or maintenance", 3.1): then its end is no proof that a
 * timer ran.
 */
export function endedLikeOthers(trace: TraceIndex, session: string): boolean {
  return mayEndLikeOthers(trace, session) && endedByItself(trace, session)
}

/** The same of one that something else shows to be over. */
export function mayEndLikeOthers(trace: TraceIndex, session: string): boolean {
  const { timed, ended } = endsIn(trace)
  return ended && timed.has(session)
}

interface Ends {
  /** Sessions with a timer that somebody named. */
  readonly timed: ReadonlySet<string>
  /** Whether the control channel of a session without one told of an end for which nobody had asked. */
  readonly ended: boolean
}

const endsIn = readOnce((trace: TraceIndex): Ends => {
  const timed = new Set<string>()
  let ended = false
  for (const record of trace.exchanges.values()) {
    const session = createdSession(record)
    if (session === undefined) continue
    if (isTimed(record)) timed.add(session)
    else ended ||= sessionEnd(trace, session) !== undefined && endedByItself(trace, session)
  }
  return { timed, ended }
})

/** A character may have been saved with timers of its own. */
function isTimed({ attempts, operation }: ExchangeRecord): boolean {
  const body = attempts[0]?.request.entry.body
  if (operation !== 'create-avatar-session' || !isObject(body)) return true
  return Object.hasOwn(body, 'auto_close') || Object.hasOwn(body, 'max_duration_seconds')
}
