import { createdSession } from './answers.ts'
import type { Traffic, Results } from './results.ts'
import type { Attempt, ExchangeRecord, TraceIndex } from './trace-index.ts'

/** Failures before anything was written to a socket. */
const unsent = new Set(['refused', 'dns', 'tls'])

/** Counts what the run sent and got; requests that never reached a socket don't count, upgrades neither. */
export function countTraffic(trace: TraceIndex): Results['traffic'] {
  const byKey = new Map<string, { rest_requests: number; sessions: Set<string> }>()
  const total = { rest_requests: 0, client_events: 0, server_events: 0 }
  for (const record of trace.asked.values()) {
    const count = byKey.get(record.key) ?? { rest_requests: 0, sessions: new Set<string>() }
    byKey.set(record.key, count)
    const requests = countWritten(record)
    count.rest_requests += requests
    total.rest_requests += requests
    const id = createdSession(record)
    if (id !== undefined) count.sessions.add(id)
  }
  for (const frame of trace.frames.values()) {
    if (frame.direction === 'sent') total.client_events += 1
    else total.server_events += 1
  }
  const keys = [...byKey].toSorted(([left], [right]) => (left < right ? -1 : 1))
  const sessions = keys.reduce((sum, [, count]) => sum + count.sessions.size, 0)
  return { ...ordered(total, sessions), by_key: Object.fromEntries(keys.map(([key, count]) => [key, perKey(count)])) }
}

function ordered(
  total: { rest_requests: number; client_events: number; server_events: number },
  sessions: number,
): Traffic {
  const { rest_requests, client_events, server_events } = total
  return { rest_requests, sessions_created: sessions, client_events, server_events }
}

function perKey(count: { rest_requests: number; sessions: Set<string> }) {
  return { rest_requests: count.rest_requests, sessions_created: count.sessions.size }
}

function countWritten(record: ExchangeRecord): number {
  return record.attempts.filter((attempt) => written(attempt)).length
}

function written(attempt: Attempt): boolean {
  return attempt.failure === undefined || !unsent.has(attempt.failure.entry.reason)
}
