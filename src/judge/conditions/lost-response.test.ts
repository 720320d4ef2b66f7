import { expect, test } from 'vitest'
import { equals, event, eventually, inEvent, never, value } from '#trace/conditions'
import type { Condition, EventRef } from '#trace/claim'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'

const wanted = 'Good day.'
const created = (id: string) => ({ type: 'response.created', response: { id, status: 'in_progress' } })
const text = (said: string, response_id = 'r') => ({ type: 'response.output_text.done', response_id, text: said })
const done = (status: string, id = 'r') => ({ type: 'response.done', response: { id, status, output: [] } })
const next = [created('n'), text(wanted, 'n'), done('completed', 'n')]

/** What became of a claim about a response that was asked for, when these come, and whether it counts each time. */
function outcome(make: (channel: number, frame: number, last: number) => Condition, events: readonly Json[]): string {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'response.create' })
  for (const one of events) trace.received(channel, one)
  const last = trace.sent(channel, { type: 'response.cancel' })
  trace.claim('part.a.must', make(channel, frame, last))
  const index = indexTrace(trace.entries)
  const [claim] = index.claims
  const found = claim === undefined ? undefined : judgeClaim(index, claim.entry)
  if (found?.state !== 'unobserved') return found?.state ?? 'none'
  return found.eachTime === undefined ? 'open' : 'only each time'
}

const firstText = (channel: number, frame: number): EventRef => ({
  channel,
  match: { where: { '/type': { $in: ['response.output_text.done', 'response.done'] } } },
  after: { frame },
})
const exact = (channel: number, frame: number) => equals(inEvent(firstText(channel, frame), '/text'), value(wanted))
const alone = (channel: number, frame: number, last: number) =>
  never(channel, event('response.output_text.done', { '/text': { $not: wanted } }), { frame }, { frame: last })
const comes = (channel: number, frame: number) =>
  eventually(channel, { frame }, event('response.output_text.done', { '/text': wanted }), 0)

test.each(['failed', 'incomplete'])('a response that ends %s may bring a part of its text, or none', (status) => {
  expect(outcome(exact, [created('r'), done(status), ...next])).toBe('only each time')
  expect(outcome(exact, [created('r'), text('Good'), done(status)])).toBe('only each time')
  expect(outcome(alone, [created('r'), text('Good'), done(status)])).toBe('only each time')
  expect(outcome(comes, [created('r'), text('Good'), done(status)])).toBe('only each time')
})

test('what says another thing is wrong, however it ends', () => {
  expect(outcome(exact, [created('r'), text('Good night.'), done('failed')])).toBe('broken')
  expect(outcome(alone, [created('r'), text('Good night.'), done('failed')])).toBe('broken')
})

test('a part of a text is wrong of what completed, and so is one beside the failure of another response', () => {
  expect(outcome(exact, [created('r'), text('Good'), done('completed')])).toBe('broken')
  expect(outcome(alone, [created('r'), text('Good'), done('failed', 'o'), done('completed')])).toBe('broken')
  expect(outcome(comes, [created('r'), done('failed', 'o'), text('Good'), done('completed')])).toBe('broken')
})

test.each([
  ['completed', 'failed', 'only each time'],
  ['completed', 'incomplete', 'only each time'],
  ['cancelled', 'failed', 'only each time'],
  ['cancelled', 'incomplete', 'broken'],
])('where %s was to come, the end %s counts: %s', (asked, came, expected) => {
  const end = (channel: number, frame: number) =>
    equals(inEvent({ channel, match: event('response.done'), after: { frame } }, '/response/status'), value(asked))
  expect(outcome(end, [created('r'), done(came), ...next])).toBe(expected)
})
