import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { indexTrace } from '../trace-index.ts'
import { judgeAdmitted, judgeRefused, stateBySecret } from './admission.ts'

const path = '/v1/realtime-avatar/sessions/session-a'

/** Get tells of an end for which nobody has asked. */
function over(trace: TraceBuilder): void {
  const body = { code: 0, message: 'ok', data: { session_id: 'session-a', status: 'closed' } }
  trace.rest('get-avatar-session', { body }, {}, 'primary', path)
}

test.each<[what: string, status: number, ended: boolean, state: string, eachTime: boolean]>([
  ['a refusal by an open session', 401, false, 'broken', false],
  ['a session that ended by itself may have done so by accident', 401, true, 'unobserved', true],
  ['a refusal on the way is the fault of neither', 503, true, 'unobserved', false],
])('%s', (_, status, ended, state, eachTime) => {
  const trace = new TraceBuilder()
  const channel = trace.refused(status)
  if (ended) over(trace)
  const outcome = judgeAdmitted(indexTrace(trace.end().entries), channel)
  expect([outcome.state, 'eachTime' in outcome]).toEqual([state, eachTime])
})

test.each<[what: string, ms: number, by: 'us' | 'target', code: number, state: string]>([
  ['at once', 10, 'target', 4401, 'held'],
  ['late, which holds as well', 4_000, 'target', 4401, 'held'],
  ['late, for going away', 12_000, 'target', 1001, 'broken'],
  ['by us before an answer need come', 4_000, 'us', 1000, 'unobserved'],
  ['by us in the end', 12_000, 'us', 1000, 'broken'],
])('a connection with a wrong secret is closed %s', (_, ms, by, code, state) => {
  const trace = new TraceBuilder()
  const good = trace.opened()
  trace.pass(3_000).closed(good, 'us')
  const channel = trace.opened()
  trace.pass(ms).closed(channel, by, code)
  expect(judgeRefused(indexTrace(trace.end().entries), channel, good).state).toBe(state)
})

test('an end that was told before comes of nothing that is done then', () => {
  const trace = new TraceBuilder()
  const before = trace.opened('session-a')
  trace.received(before, { type: 'session.closed', event_id: 'e1', session_id: 'session-a', reason: 'maintenance' })
  const channel = trace.refused(410)
  const outcome = judgeAdmitted(indexTrace(trace.end().entries), channel)
  expect([outcome.state, 'eachTime' in outcome]).toEqual(['unobserved', false])
})

test('a connection with a wrong secret may stay as much longer as Greenroom stood still', () => {
  const trace = new TraceBuilder()
  const good = trace.opened()
  trace.pass(3_000).closed(good, 'us')
  const channel = trace.opened()
  trace.pass(1_000).halted(12_000).closed(channel, 'target', 1000)
  expect(judgeRefused(indexTrace(trace.end().entries), channel, good).state).toBe('held')
})

test.each<[what: string, ms: number, by: 'refused' | 'closed', state: string]>([
  ['refused at once', 0, 'refused', 'unobserved'],
  ['accepted and closed at once', 0, 'closed', 'unobserved'],
  ['refused when the other is long gone', 3_000, 'refused', 'broken'],
])('behind the end of another connection of its session one is %s', (_, ms, by, state) => {
  const trace = new TraceBuilder()
  trace.closed(trace.opened('session-a'), 'us')
  trace.pass(ms)
  const channel = by === 'refused' ? trace.refused(409) : trace.opened('session-a')
  if (by === 'closed') trace.closed(channel, 'target', 4401)
  expect(judgeAdmitted(indexTrace(trace.end().entries), channel).state).toBe(state)
})

test.each<[what: string, first: 'open' | 'closed', second: boolean, state: string]>([
  ['is there, and none was seen to be let in beside another', 'open', false, 'unobserved'],
  ['is there, and two are let in', 'open', true, 'held'],
  ['has long gone', 'closed', false, 'held'],
])('a wrong secret is refused while the right connection %s', (_, first, second, state) => {
  const trace = new TraceBuilder()
  const good = trace.opened()
  trace.received(good, { type: 'session.updated', event_id: 'e1' })
  const other = second ? trace.opened() : undefined
  if (other !== undefined) trace.pass(3_000).closed(other, 'us')
  if (first === 'closed') trace.closed(good, 'us').pass(3_000)
  const channel = trace.refused(409)
  expect(judgeRefused(indexTrace(trace.end().entries), channel, good).state).toBe(state)
})

/** One that is refused by this status at each of two tries. */
const refusedTwice = (trace: TraceBuilder, status: number): number =>
  trace.refusedUpgrades([
    { status, after: 0 },
    { status, after: 1_000 },
  ])

test.each<[what: string, before: (trace: TraceBuilder) => void, state: string]>([
  ['nobody was told so before', () => {}, 'unobserved'],
  ['one other was told so again and again', (trace) => void refusedTwice(trace, 429), 'unobserved'],
  ['several were told so again and again', (trace) => [1, 2].map(() => refusedTwice(trace, 429)), 'held'],
  ['several were told otherwise', (trace) => [1, 2].map(() => refusedTwice(trace, 503)), 'unobserved'],
  [
    'so was one who was let in after all',
    (trace) => [trace.reopened(trace.refused(429)), ...[1, 2].map(() => refusedTwice(trace, 429))],
    'unobserved',
  ],
])('a wrong secret is refused once by what an edge may say, and %s', (_, before, state) => {
  const trace = new TraceBuilder()
  const good = trace.opened()
  trace.pass(3_000).closed(good, 'us')
  before(trace)
  const channel = trace.refused(429)
  expect(judgeRefused(indexTrace(trace.end().entries), channel, good).state).toBe(state)
})

const updated = { type: 'session.updated', event_id: 'e1' }
const closing = { type: 'session.closed', event_id: 'e2', session_id: 'session-a', reason: 'timeout' }

test.each<[what: string, open: (trace: TraceBuilder) => number, state: string | undefined]>([
  ['is answered', (trace) => tellOn(trace, updated), 'active'],
  ['is answered, and told of the end', (trace) => tellOn(trace, updated, closing), undefined],
  ['is refused', (trace) => trace.refused(401), 'not found'],
  ['is closed at once', (trace) => hangUp(trace, 10, 'target'), 'not found'],
  ['may be refused late', (trace) => hangUp(trace, 4_000, 'target'), undefined],
  ['is silent until we hang up', (trace) => hangUp(trace, 12_000, 'us'), undefined],
  ['meets a limit of connections for long', limited, undefined],
])('an opening with the secret of a session that %s', (_, open, state) => {
  const trace = new TraceBuilder()
  trace.closed(tellOn(trace, updated), 'us')
  trace.pass(3_000)
  const channel = open(trace)
  const index = indexTrace(trace.end().entries)
  const record = index.channels.get(channel)
  expect(record && stateBySecret(index, record)).toBe(state)
})

function tellOn(trace: TraceBuilder, ...events: readonly Json[]): number {
  const channel = trace.opened()
  for (const event of events) trace.received(channel, event)
  return channel
}

function hangUp(trace: TraceBuilder, ms: number, by: 'us' | 'target'): number {
  const channel = trace.opened()
  trace.pass(ms).closed(channel, by, by === 'us' ? 1000 : 4401)
  return channel
}

/** Every try is refused by 429, while the target answers others. */
function limited(trace: TraceBuilder): number {
  const channel = trace.refused(429)
  for (const after of [1_000, 3_000, 9_000, 27_000]) {
    trace.rest('list-avatar-sessions', { body: { code: 0, message: 'ok', data: {} } })
    const from = trace.pass(after).entries.length
    trace.refused(429)
    for (const one of trace.entries.slice(from)) Object.assign(one, { channel })
  }
  return channel
}
