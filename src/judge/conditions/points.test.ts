import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { Condition } from '#trace/claim'
import * as say from '#trace/conditions'
import { evaluate } from './conditions.ts'
import { indexTrace } from '../trace-index.ts'

const trace = new TraceBuilder()
const [first, second] = [trace.mark(), trace.pass(50).mark()]
const yes = say.before({ mark: first }, { mark: second })
const wrong = say.before({ mark: second }, { mark: first })
const open = say.before({ mark: first }, { mark: 99 })

test.each<[string, Condition, string]>([
  ['in order', yes, 'held'],
  ['out of order', wrong, 'broken'],
  ['one missing', open, 'unobserved: prerequisite'],
  ['an offset', say.before({ mark: first, plus_ms: 40 }, { mark: second }), 'held'],
  ['too large an offset', say.before({ mark: first, plus_ms: 51 }, { mark: second }), 'broken'],
  ['any of them', say.any(wrong, yes), 'held'],
  ['any, none decided against', say.any(wrong, open), 'unobserved: prerequisite'],
  ['any, all against', say.any(wrong, wrong), 'broken'],
  ['all of them', say.all(yes, yes), 'held'],
  ['all but one', say.all(yes, open, wrong), 'broken'],
])('%s', (_, condition, expected) => {
  const outcome = evaluate(indexTrace(trace.entries), condition)
  expect(outcome.state === 'unobserved' ? `unobserved: ${outcome.code}` : outcome.state).toBe(expected)
})

test.each<[string, readonly number[], string]>([
  ['flows on until then', Array.from({ length: 20 }, () => 100), 'held'],
  ['comes again after a silence of everything, and ends at once', [1_700, 20], 'unobserved'],
  ['flows on behind a silence', [1_700, ...Array.from({ length: 15 }, () => 100)], 'held'],
])('what goes on for so long after an event: text that %s', (_, gaps, expected) => {
  const run = new TraceBuilder()
  const channel = run.opened()
  const frame = run.sent(channel, { type: 'response.cancel' })
  run.received(channel, { type: 'conversation.item.retrieved' })
  for (const gap of gaps) run.pass(gap - 1).received(channel, { type: 'response.output_text.delta' })
  run.received(channel, { type: 'response.done' })
  const pong = { channel, match: say.event('conversation.item.retrieved'), after: { frame } }
  const late = {
    channel,
    match: say.event('response.output_text.delta'),
    after: { event: pong, plus_ms: 1_500 },
  }
  const done = { channel, match: say.event('response.done'), after: { frame } }
  const outcome = evaluate(indexTrace(run.entries), say.before({ event: late }, { event: done }))
  expect(outcome.state).toBe(expected)
})
