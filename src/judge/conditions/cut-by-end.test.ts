import { expect, test } from 'vitest'
import { equals, inEvent, value } from '#trace/conditions'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'

const text = { type: 'response.output_text.done', text: 'Good' }
const done = (status: string) => ({ type: 'response.done', response: { status } })
const closed = { type: 'session.closed', session_id: 'session-a', reason: 'maintenance' }

/** What became of the claim that the first event is a text which says "Good day.", when these come. */
function spoken(path: '/type' | '/text', events: readonly Json[], closedByUs = false): string {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'response.create' })
  if (closedByUs) trace.rest('close-avatar-session', {}, {}, 'primary', '/v1/realtime-avatar/sessions/session-a/close')
  for (const one of events) trace.received(channel, one)
  const first = { channel, match: {}, after: { frame } }
  const wanted = path === '/type' ? 'response.output_text.done' : 'Good day.'
  trace.claim('part.a.must', equals(inEvent(first, path), value(wanted)))
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  return claim === undefined ? 'none' : judgeClaim(index, claim.entry).state
}

test('what a session cuts short that the service ends leaves its text undecided, though its end is told later', () => {
  expect(spoken('/type', [done('cancelled'), closed])).toBe('unobserved')
  expect(spoken('/text', [text, done('cancelled'), closed])).toBe('unobserved')
  expect(spoken('/text', [done('cancelled'), closed])).toBe('unobserved')
})

test('a text that is missing or wrong is wrong where the session goes on, was closed by us, or the response completed', () => {
  expect(spoken('/type', [done('cancelled')])).toBe('broken')
  expect(spoken('/text', [text, done('completed')])).toBe('broken')
  expect(spoken('/text', [done('cancelled')])).toBe('broken')
  expect(spoken('/type', [done('completed'), closed])).toBe('broken')
  expect(spoken('/text', [done('completed'), closed])).toBe('broken')
  expect(spoken('/text', [text, done('cancelled'), closed], true)).toBe('broken')
})
