import { readOnce } from './read-once.ts'
import type { ChannelRecord, ExchangeRecord, TraceIndex } from './trace-index.ts'

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
