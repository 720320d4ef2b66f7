import { expect, test } from 'vitest'
import type { ObjectiveResult, TimelineWindow } from '../load-report.ts'
import { gaveWay } from './gave-way.ts'

const window = (at_s: number, iterations: number, errors: number, p95: number): TimelineWindow => ({
  at_s,
  active_sessions: 0,
  iterations,
  events: 0,
  errors,
  latencies: { create: { p50: 1, p95, p99: p95 } },
})

const timeline = [window(0, 20, 1, 90), window(5, 30, 0, 120), window(10, 42, 9, 90), window(15, 0, 30, 900)]
const climb = { start_rate: 1, stages: [{ seconds: 20, rate: 10 }] }
const create: ObjectiveResult = { name: 'p95_ms', operation: 'create', bound: 100, got: 300, holds: false }

test('where the rate climbs, the report says how far it came', () => {
  expect(gaveWay({ timeline, objectives: [create] }, climb)).toEqual([
    'errors began 10 s after the start, when 8.4 iterations a second began',
    'create p95 went beyond 100 ms 5 s after the start, when 6 iterations a second began',
  ])
})

test('what holds gave way nowhere, and a rate that stays the same tells nothing', () => {
  expect(gaveWay({ timeline: timeline.slice(0, 2), objectives: [{ ...create, holds: true }] }, climb)).toEqual([])
  expect(gaveWay({ timeline, objectives: [create] }, { start_rate: 2, stages: [{ seconds: 20, rate: 2 }] })).toEqual([])
})
