import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { isSettled, lagOf } from './lag.ts'
import { indexTrace } from '../trace-index.ts'

const traceWith = (profile?: object) =>
  indexTrace(new TraceBuilder(profile === undefined ? {} : { profile: JSON.parse(JSON.stringify(profile)) }).entries)

test('a profile that says nothing allows two seconds', () => {
  expect(lagOf(traceWith())).toBe(2_000)
})

test('the profile says how far reads may be behind', () => {
  const trace = traceWith({ base_url: 'https://target.example', keys: {}, timeouts: { lag_ms: 300 } })
  expect(lagOf(trace)).toBe(300)
  expect(isSettled(trace, 100, 399)).toBe(false)
  expect(isSettled(trace, 100, 400)).toBe(true)
})
