import { expect, test } from 'vitest'
import { event, eventually } from '#trace/conditions'
import { TraceBuilder } from '#testing/trace-builder'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'
import { stillBetween } from './standstill.ts'

/** An update that is never answered: silence for so long, then a Get that is given up after `waited` milliseconds. */
function unanswered({ silence, waited, heard = false }: { silence: number; waited: number; heard?: boolean }) {
  const trace = new TraceBuilder()
  const [channel, other] = [trace.opened(), trace.opened('session-b')]
  const frame = trace.sent(channel, { type: 'session.update', event_id: 'u1' })
  trace.claim('part.a.must', eventually(channel, { frame }, event('session.updated'), 6_000))
  trace.pass(silence)
  if (heard) trace.received(other, { type: 'response.done' })
  trace.closed(channel, 'us')
  const exchange = trace.number()
  trace.request(exchange)
  trace.pass(waited).failed(exchange, 'timeout')
  trace.pass(1_000).rest('get-avatar-session', { body: { code: 0 } })
  return trace
}

function stateOf(trace: TraceBuilder): string | undefined {
  const index = indexTrace(trace.end().entries)
  const [claim] = index.claims
  return claim === undefined ? undefined : judgeClaim(index, claim.entry).state
}

test.each([
  [
    'a request beside it waits in vain as long as an answer may take',
    { silence: 13_000, waited: 10_000 },
    'unobserved',
  ],
  ['a request beside it is given up early', { silence: 13_000, waited: 500 }, 'broken'],
  ['another session is answered meanwhile', { silence: 13_000, waited: 10_000, heard: true }, 'broken'],
])('an event stays unanswered while %s', (_, given, state) => {
  expect(stateOf(unanswered(given))).toBe(state)
})

test('what is watched in silence for long enough before the target stands still is missing', () => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'session.update', event_id: 'u1' })
  trace.claim('part.a.must', eventually(channel, { frame }, event('session.updated'), 6_000))
  trace.pass(13_000).rest('get-avatar-session', { body: { code: 0 } })
  const exchange = trace.number()
  trace.request(exchange)
  trace.pass(10_000).failed(exchange, 'timeout')
  expect(stateOf(trace)).toBe('broken')
})

test.each([
  ['and Greenroom stood still meanwhile', 5_000, 'unobserved'],
  ['and Greenroom stood still, but listened for long enough as well', 12_001, 'broken'],
])('an event stays unanswered for long enough, %s', (_, listened, state) => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'session.update', event_id: 'u1' })
  trace.claim('part.a.must', eventually(channel, { frame }, event('session.updated'), 6_000))
  trace.pass(listened).halted(8_000).closed(channel, 'us')
  expect(stateOf(trace)).toBe(state)
})

test('who still listens waits for as long again as Greenroom stood still', () => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'session.update', event_id: 'u1' })
  const sent = trace.entries.at(-1)?.t ?? 0
  trace.claim('part.a.must', eventually(channel, { frame }, event('session.updated'), 6_000))
  trace.halted(13_000).mark()
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  const outcome = claim === undefined ? undefined : judgeClaim(index, claim.entry)
  expect(outcome).toMatchObject({ state: 'unobserved', pending: sent + 12_000 + 13_000 })
})

test('what went by twice at once counts once', () => {
  const trace = new TraceBuilder()
  trace.pass(10_000).halted(5_000)
  const t = trace.entries.at(-1)?.t ?? 0
  trace.add({ kind: 'halt', ms: 4_000, t })
  expect(stillBetween(indexTrace(trace.entries), { t: 0 }, { t })).toBe(5_000)
})
