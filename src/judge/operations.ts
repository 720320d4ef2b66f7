import type { Json } from '#trace/json'
import { answerOf } from './answers.ts'
import { readOnce } from './read-once.ts'
import { sessionIn } from './sessions/session-in.ts'
import type { ChannelRecord, ExchangeRecord, TraceIndex } from './trace-index.ts'

/** Whether an operation makes an avatar session, by its own body or by that of a character (4.1). */
export function createsAvatarSession(
  operation: string | null,
): operation is 'create-avatar-session' | 'create-session-from-character' {
  return operation === 'create-avatar-session' || operation === 'create-session-from-character'
}

const byOperation = readOnce((trace: TraceIndex) => Map.groupBy(trace.exchanges.values(), ({ operation }) => operation))

/** The exchanges of an operation, in the order in which they were begun. */
export function exchangesOf(trace: TraceIndex, operation: string): readonly ExchangeRecord[] {
  return byOperation(trace).get(operation) ?? []
}

const bySession = readOnce((trace: TraceIndex) => Map.groupBy(trace.channels.values(), ({ session }) => session))

/** The channels of a session, in the order of their numbers' first use. */
export function channelsOf(trace: TraceIndex, session: string): readonly ChannelRecord[] {
  return bySession(trace).get(session) ?? []
}

const firstGots = readOnce((trace: TraceIndex) => {
  const got = new Map<string, Json>()
  for (const record of exchangesOf(trace, 'get-avatar-session')) {
    const session = sessionIn(record.attempts[0]?.request.entry.path ?? '')
    if (session === undefined || got.has(session)) continue
    const answer = answerOf(record)
    if (answer.kind === 'success' && answer.data !== undefined) got.set(session, answer.data)
  }
  return got
})

/** What Get Session (4.1) said of a session at the first time that it was answered. */
export function firstGot(trace: TraceIndex, session: string): Json | undefined {
  return firstGots(trace).get(session)
}
