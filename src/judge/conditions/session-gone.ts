import { workspaceOf } from '#spec/profile'
import { answerOf, createdSession } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import { endShownBefore, sessionEnd, stateIn } from '../sessions/session-end.ts'
import { sessionOf } from '../sessions/session-in.ts'
import { endedLikeOthers } from '../timing/own-ends.ts'
import { mayHaveTimedOut } from '../timing/own-timers.ts'
import type { ExchangeRecord, TraceIndex } from '../trace-index.ts'
import { isLetIn } from './admission.ts'

const visits: ReadonlySet<string | null> = new Set(['get-avatar-session', 'close-avatar-session'])

/** An avatar session that ended is not found any more. */
const gone = 20005

/** Why nothing is said of what was asked of a session that may have ended by itself (3.1). */
export const serviceEnded = 'the service ended the session'

/** A session that was not found: `told` where its end shows elsewhere, at this line, or how often it went so, and nothing else came. */
export type Gone = { readonly told: number } | { readonly times: number }

/**
 * Whether an avatar session that this run made may have ended by itself ("for account limits, idle timeout, failures or
 * maintenance", 3.1), so that Get and Close do not find it. One that is seen to be open later had not ended.
 */
export function sessionGone(trace: TraceIndex, record: ExchangeRecord | undefined): Gone | undefined {
  if (record === undefined || !visits.has(record.operation) || !isNotFound(record)) return undefined
  const session = sessionOf(record)
  const owner = session === undefined ? undefined : ownersIn(trace).get(session)
  const { line, entry } = record.attempts.at(-1)?.request ?? {}
  if (session === undefined || owner === undefined || line === undefined || entry === undefined) return undefined
  if (workspaceOf(owner) !== workspaceOf(record.key) || isOpenLater(trace, session, line)) return undefined
  const end = sessionEnd(trace, session)
  if (end !== undefined && end.line < line) return { told: end.line }
  const isTold =
    endShownBefore(trace, session, line) || endedLikeOthers(trace, session) || mayHaveTimedOut(trace, session, entry.t)
  return isTold ? { told: line } : { times: timesGone(trace, record) }
}

/** By session the key that made it. */
const ownersIn = readOnce((trace: TraceIndex): ReadonlyMap<string, string> => {
  const owners = new Map<string, string>()
  for (const record of trace.exchanges.values()) {
    const made = createdSession(record)
    if (made !== undefined) owners.set(made, record.key)
  }
  return owners
})

const visitsIn = readOnce((trace: TraceIndex): readonly ExchangeRecord[] =>
  [...trace.exchanges.values()].filter(({ operation }) => visits.has(operation)),
)

function isNotFound(record: ExchangeRecord): boolean {
  const answer = answerOf(record)
  return answer.kind === 'failure' && answer.code === gone
}

/** A connection that is let in, a Get that shows it active, or a close that begins. */
function isOpenLater(trace: TraceIndex, session: string, line: number): boolean {
  const isIn = [...trace.channels.values()].some(
    (channel) => channel.session === session && channel.open.line > line && isLetIn(trace, channel),
  )
  return (
    isIn || visitsIn(trace).some((visit) => firstLine(visit) > line && sessionOf(visit) === session && isOpen(visit))
  )
}

const firstLine = ({ attempts }: ExchangeRecord): number => attempts[0]?.request.line ?? 0

function isOpen(visit: ExchangeRecord): boolean {
  const answer = answerOf(visit)
  if (answer.kind !== 'success') return false
  const state = stateIn(answer.data, sessionOf(visit))
  return state === 'active' || (visit.operation === 'close-avatar-session' && state === 'closing')
}

/**
 * Sessions of the same workspace that the same operation did not find by the same key, while it found none; else this one
 * alone. What we closed, or tell the end of, may be gone by right.
 */
function timesGone(trace: TraceIndex, { operation, key }: ExchangeRecord): number {
  const all = visitsIn(trace).filter((visit) => visit.operation === operation && visit.key === key)
  if (all.some((visit) => answerOf(visit).kind === 'success')) return 1
  const own = all.filter((visit) => {
    const session = sessionOf(visit) ?? ''
    const owner = ownersIn(trace).get(session)
    return owner !== undefined && workspaceOf(owner) === workspaceOf(key) && isNotFound(visit)
  })
  return Math.max(1, new Set(own.map(sessionOf)).size)
}
