import { Collected, type RowFindings } from '../findings.ts'
import { sessionWasSeen } from '../recordings.ts'
import type { Results } from '../results.ts'
import { indexTrace, type TraceIndex } from '../trace-index.ts'
import { countTraffic } from '../traffic.ts'
import type { Line } from './window.ts'

const breachesKept = 10
const reasonsKept = 20
const wordsKept = 1_000
const mistakesKept = 100

/** What is held of rows over a whole recording: counts, and the first evidence of each. */
export function trim(collected: Collected): void {
  for (const row of collected.rows.values()) {
    row.unkept += Math.max(0, row.breaches.length - breachesKept)
    row.breaches.length = Math.min(row.breaches.length, breachesKept)
    row.open.length = Math.min(row.open.length, reasonsKept)
  }
  for (const { what, lines } of collected.seen.values()) {
    for (const one of [...what].slice(wordsKept)) what.delete(one)
    lines.length = Math.min(lines.length, wordsKept)
  }
  collected.mistakes.length = Math.min(collected.mistakes.length, mistakesKept)
}

export function copyOf(collected: Collected): Collected {
  const copy = new Collected()
  for (const [id, row] of collected.rows) copy.rows.set(id, copyOfRow(row))
  for (const [id, { what, lines }] of collected.seen) copy.seen.set(id, { what: new Set(what), lines: [...lines] })
  copy.mistakes.push(...collected.mistakes)
  return copy
}

function copyOfRow(row: RowFindings): RowFindings {
  const { evidence, breaches, open, scenarios } = row
  return {
    ...row,
    evidence: [...evidence],
    breaches: [...breaches],
    open: [...open],
    scenarios: new Set(scenarios),
  }
}

/** What was counted of the lines that are not held any more. */
export interface Counted {
  readonly traffic: Results['traffic']
  readonly created: boolean
}

export const nothingCounted: Counted = {
  traffic: { rest_requests: 0, sessions_created: 0, client_events: 0, server_events: 0, by_key: {} },
  created: false,
}

/** @param trace of the whole window that the lines are dropped from */
export function countDropped(before: Counted, dropped: readonly Line[], trace: TraceIndex): Counted {
  const traffic = countTraffic(indexTrace(dropped.map(({ entry }) => entry)))
  return { traffic: sum(before.traffic, traffic), created: before.created || sessionWasSeen(trace) }
}

export function sum(one: Results['traffic'], other: Results['traffic']): Results['traffic'] {
  const keys = [...new Set([...Object.keys(one.by_key), ...Object.keys(other.by_key)])].toSorted()
  return {
    rest_requests: one.rest_requests + other.rest_requests,
    sessions_created: one.sessions_created + other.sessions_created,
    client_events: one.client_events + other.client_events,
    server_events: one.server_events + other.server_events,
    by_key: Object.fromEntries(keys.map((key) => [key, sumOfKey(one.by_key[key], other.by_key[key])])),
  }
}

type OfKey = Results['traffic']['by_key'][string]

function sumOfKey(one: OfKey = emptyKey, other: OfKey = emptyKey): OfKey {
  return {
    rest_requests: one.rest_requests + other.rest_requests,
    sessions_created: one.sessions_created + other.sessions_created,
  }
}

const emptyKey: OfKey = { rest_requests: 0, sessions_created: 0 }
