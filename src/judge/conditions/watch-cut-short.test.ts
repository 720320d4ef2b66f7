import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { event, never } from '#trace/conditions'
import { indexTrace } from '../trace-index.ts'
import { evaluate } from './conditions.ts'

test.each([
  ['the target', 'target', 'unobserved'],
  ['us', 'us', 'held'],
] as const)(
  'what is never to come within a time, on a channel that %s closed before, is then %s',
  (_, by, expected) => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    const frame = trace.sent(channel, { type: 'go' })
    const until = { frame, plus_ms: 5_000 }
    trace.pass(1_000).closed(channel, by).pass(6_000).mark()
    const outcome = evaluate(indexTrace(trace.entries), never(channel, event('done'), { frame }, until))
    expect(outcome.state).toBe(expected)
  },
)
