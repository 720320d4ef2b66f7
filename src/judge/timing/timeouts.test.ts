import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { HeaderEntry } from '#trace/entry'
import { timeoutOf } from './timeouts.ts'
import { indexTrace } from '../trace-index.ts'

const traceWith = (header: Partial<HeaderEntry>) => indexTrace(new TraceBuilder(header).entries)
const told = { base_url: 'https://target.example', keys: {}, timeouts: { event_ms: 700, lag_ms: 300 } }

test('a run waits as long as its profile says, or by default', () => {
  expect(timeoutOf(traceWith({}), 'event_ms')).toBe(5_000)
  expect(timeoutOf(traceWith({ profile: told }), 'event_ms')).toBe(700)
  expect(timeoutOf(traceWith({ profile: told }), 'closed_ms')).toBe(30_000)
})

test('in a recording nothing comes too late but by what the profile promises', () => {
  expect(timeoutOf(traceWith({ recording: 'har' }), 'event_ms')).toBe(Number.POSITIVE_INFINITY)
  expect(timeoutOf(traceWith({ recording: 'har' }), 'provisioning_ms')).toBe(Number.POSITIVE_INFINITY)
  expect(timeoutOf(traceWith({ recording: 'har' }), 'lag_ms')).toBe(2_000)
  expect(timeoutOf(traceWith({ recording: 'har', profile: told }), 'event_ms')).toBe(700)
})
