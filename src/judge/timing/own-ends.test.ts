import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import * as say from '#trace/conditions'
import { evaluate } from '../conditions/conditions.ts'
import { indexTrace } from '../trace-index.ts'

const path = (id: string): string => `/v1/realtime-avatar/sessions/${id}`

/** A session that ends by itself, and is then shown to be closed. */
function ended(trace: TraceBuilder, id: string, body: object): { readonly channel: number; readonly get: number } {
  const data = { code: 0, message: 'ok', data: { session_id: id } }
  trace.rest('create-avatar-session', { body: data }, JSON.parse(JSON.stringify(body)))
  const channel = trace.opened(id)
  trace.pass(12_000).received(channel, { type: 'session.closed', session_id: id, reason: 'maintenance' })
  const shown = { code: 0, message: 'ok', data: { session_id: id, status: 'closed' } }
  return { channel, get: trace.rest('get-avatar-session', { body: shown }, {}, 'primary', path(id)) }
}

const off = { auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 } }

test.each([
  ['that its timers must not end', [], 'broken'],
  ['where another one ended that has no timer', [{}], 'unobserved'],
  ['where another one ended that has a timer', [{ max_duration_seconds: 12 }], 'broken'],
])('the end of a session %s', (_, others, state) => {
  const trace = new TraceBuilder()
  for (const [place, body] of others.entries()) ended(trace, `other-${place}`, body)
  const { channel, get } = ended(trace, 'session-a', off)
  const end = trace.pass(30_000).mark()
  const index = indexTrace(trace.entries)
  const goesOn = say.different(say.answer(get, '/data/status'), say.oneOf('closing', 'closed', 'failed'))
  const untold = say.never(channel, say.event('session.closed'), { channel, edge: 'opened' }, { mark: end })
  expect([goesOn, untold].map((one) => evaluate(index, one).state)).toEqual([state, state])
})

test.each([
  ['that its timers must not end', [], 0, 'broken'],
  ['where another one ended that has no timer', [{}], 0, 'unobserved'],
  ['when a timer that was told is over', [], 20, 'unobserved'],
  ['before a timer that was told is over', [], 60, 'broken'],
])('a session whose secret is refused %s', (_, others, told, state) => {
  const trace = new TraceBuilder()
  for (const [place, body] of others.entries()) ended(trace, `other-${place}`, body)
  // Nobody was connected to whom its end could have been told, and Get shows no status.
  trace.received(trace.opened('other'), { type: 'session.updated', event_id: 'e' })
  const session = { session_id: 'session-a', auto_close: { disconnected_timeout_seconds: told } }
  trace.rest('create-avatar-session', { body: { code: 0, message: 'ok', data: session } }, off)
  const [refused, late] = [trace.pass(30_000).refused(401), trace.pass(3_000).opened()]
  trace.closed(late, 'target', 4401)
  const index = indexTrace(trace.entries)
  const goesOn = [refused, late].map((channel) => say.equals(say.stateByOpening(channel), say.value('active')))
  expect(goesOn.map((one) => evaluate(index, one).state)).toEqual([state, state])
})
