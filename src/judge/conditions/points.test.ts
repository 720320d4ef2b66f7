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
