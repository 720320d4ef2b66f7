import { expect, test } from 'vitest'
import { event, eventually } from '#trace/conditions'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from '../trace-index.ts'
import { evaluate } from './conditions.ts'

const within = 3_000
const delta = { type: 'response.output_text.delta', delta: 'Once' }

/** A text is awaited; after so many milliseconds the connection is closed, and the last delta came so long before that. */
function awaited(silence: number, by: 'us' | 'target', code: number, last: typeof delta | { type: string } = delta) {
  const trace = new TraceBuilder()
  const channel = trace.opened()
  const frame = trace.sent(channel, { type: 'response.create' })
  trace.pass(10_000).received(channel, last)
  trace.pass(silence).closed(channel, by, code)
  const text = event('response.output_text.done', { '/text': 'Once upon a time.' })
  return evaluate(indexTrace(trace.end().entries), eventually(channel, { frame }, text, within)).state
}

test('a response that goes on while the service leaves the connection is not said to lack its end', () => {
  expect(awaited(1_000, 'target', 1001)).toBe('unobserved')
})

test.each<[what: string, Parameters<typeof awaited>]>([
  ['fell silent long before', [7_000, 'target', 1001]],
  ['was left by us', [1_000, 'us', 1000]],
  ['had ended', [1_000, 'target', 1001, { type: 'response.done' }]],
  ['was blamed on the client', [1_000, 'target', 1008]],
])('one that %s lacks its end', (_, said) => {
  expect(awaited(...said)).toBe('broken')
})
