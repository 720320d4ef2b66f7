import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { Condition } from '#trace/claim'
import { before, event, eventually, never } from '#trace/conditions'
import { indexTrace } from '../trace-index.ts'
import { evaluate } from './conditions.ts'

/** An event was sent, something else came, and the connection was found dead. */
function afterDeath(heard_ms: number, condition: (channel: number, frame: number) => Condition): object {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'go' })
  trace.pass(heard_ms)
  trace.received(channel, { type: 'other' })
  const last = trace.entries.at(-1)?.t ?? 0
  trace.pass(5_000).foundDead(channel, last).pass(10_000).mark()
  return evaluate(indexTrace(trace.entries), condition(channel, frame))
}

const awaited = (channel: number, frame: number) => eventually(channel, { frame }, event('done'), 1_000)

test('what did not come on a connection that was dead counts only where it is so each time', () => {
  const outcome = afterDeath(100, awaited)
  expect(outcome).toMatchObject({ state: 'unobserved', code: 'network', why: expect.stringContaining('dead') })
  expect(outcome).toMatchObject({ eachTime: { got: 'nothing any more, not even a pong' } })
})

test('what was missing before the connection died is missing', () => {
  expect(afterDeath(2_500, awaited)).toMatchObject({ state: 'broken' })
})

test('that nothing came on a dead connection bears nothing out', () => {
  const quiet = (channel: number, frame: number) => never(channel, event('done'), { frame }, { frame, plus_ms: 4_000 })
  expect(afterDeath(100, quiet)).toMatchObject({ state: 'unobserved', code: 'network' })
})

test('a connection that was dead shows no end', () => {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  trace.pass(1_000).foundDead(channel, trace.entries.at(-1)?.t ?? 0)
  const mark = trace.mark()
  const end = before({ channel, edge: 'closed' }, { mark })
  expect(evaluate(indexTrace(trace.entries), end)).toMatchObject({ state: 'unobserved', code: 'network' })
})
