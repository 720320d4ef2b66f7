import { expect, test } from 'vitest'
import { scheduledMs } from './readings.ts'
import { bucketOf } from '../../../load/core/histogram.ts'
import type { Objectives } from '#spec/profile'
import {
  checkObjectives,
  errorShare,
  fitting,
  type Measured,
  missed,
  type Scope,
  unknownOperation,
} from './objectives.ts'

const at = (ms: number, times = 1) => ({ [bucketOf(ms)]: times })

const numbers = {
  create_ms: { ...at(10, 98), ...at(500, 2) },
  close_ms: at(5, 90),
  upgrades: { opened: 100, refused: 5 },
  errors: { 'create 500 other': 4, 'upgrade 429 10008': 5, 'close 0 network': 1 },
  events: { 'response.done': 400, other: 100 },
  iterations: { begun: 50, ended: 50 },
}
const measured = { numbers, scheduled_ms: 10_000, dropped: 0, timeline: [] }
const operations = ['create', 'close', 'first_delta']

const scope: Scope = { operations, hears_events: true, by_schedule: true, provokes: false }
const check = (objectives: Objectives) => checkObjectives(fitting(objectives, scope), measured)

test('a percentile holds up to its bound, and each percentile is held against its own', () => {
  const results = check({ latency: { create: { p95_ms: 11, p99_ms: 400 } } })
  expect(results.map(({ name, holds }) => [name, holds])).toEqual([
    ['p95_ms', true],
    ['p99_ms', false],
  ])
  expect(results.map((one) => missed(one))[1]).toMatch(/^create p99 is \d+ ms, and the profile wants at most 400 ms$/)
})

test('an answer that never came took as long as it was waited for', () => {
  const hung = { ...numbers, create_ms: at(10, 80), create_unanswered_ms: at(10_000, 20) }
  const objectives = { latency: { create: { p50_ms: 11, p95_ms: 800 } } }
  const results = checkObjectives(objectives, { ...measured, numbers: hung })
  expect(results.map(({ holds }) => holds)).toEqual([true, false])
})

test('what was to be measured and was not is missed', () => {
  const [result] = check({ latency: { first_delta: { p50_ms: 1_000 } } })
  expect(result).toMatchObject({ got: null, holds: false })
  expect(result && missed(result)).toBe('first_delta p50: nothing was measured, and the profile wants 1000 ms')
})

test.each([
  ['create', 'errors', 'create 500 other'],
  ['close', 'errors', 'close 0 network'],
  ['request', 'errors', 'request 404 20005'],
  ['connect', 'upgrades', 'refused'],
  ['upload_large', 'uploads', 'refused'],
  ['served_after', 'creates', 'given-up'],
] as const)('%s is missed where it was tried and never came about, not where nobody tried', (operation, count, key) => {
  const objectives = { latency: { [operation]: { p95_ms: 100 } } }
  const of = (seen: Measured['numbers']) =>
    checkObjectives(objectives, { numbers: seen, scheduled_ms: 1_000, dropped: 0, timeline: [] })
  expect(of({ iterations: { begun: 5 } })).toEqual([])
  expect(of({ [count]: { [key]: 1 } })).toMatchObject([{ got: null, holds: false }])
})

test('iterations that go on when no more begin make the rate no lower', () => {
  const rate = { target_per_s: 5, achieved_per_s: 5, dropped: 0 }
  expect(scheduledMs({ tally: { iterations: { begun: 300, ended: 300 } }, rate, duration_ms: 64_000 })).toBe(60_000)
  expect(scheduledMs({ tally: {}, rate: { ...rate, achieved_per_s: 0 }, duration_ms: 64_000 })).toBe(64_000)
})

test('operations of other scenarios are left out', () => {
  expect(check({ latency: { upload: { p50_ms: 1 } } })).toEqual([])
  expect(unknownOperation({ latency: { create: { p50_ms: 1 }, cretae: { p50_ms: 1 } } }, operations)).toBe('cretae')
})

test('who hears no events, begins once or is there to be refused is not held to what says nothing of it', () => {
  const objectives = { error_share: 0, throughput: { events_per_second: 900, iterations_per_second: 900 } }
  const missedBy = (more: Partial<Scope>): readonly string[] =>
    checkObjectives(fitting(objectives, { ...scope, ...more }), measured).map(({ name }) => name)
  expect(missedBy({})).toEqual(['error_share', 'events_per_second', 'iterations_per_second'])
  expect(missedBy({ hears_events: false })).toEqual(['error_share', 'iterations_per_second'])
  expect(missedBy({ by_schedule: false, provokes: true })).toEqual(['events_per_second'])
})

test('the error share counts everything that was asked, and iterations that could not begin', () => {
  expect(errorShare(measured)).toBe(10 / 300)
  expect(errorShare({ ...measured, dropped: 100 })).toBe(110 / 400)
  expect(errorShare({ numbers: {}, scheduled_ms: 1, dropped: 0, timeline: [] })).toBeNull()
  expect(check({ error_share: 0.03 })).toMatchObject([{ holds: false }])
  expect(check({ error_share: 0.04 })).toMatchObject([{ holds: true }])
})

test('throughput is a floor', () => {
  expect(check({ throughput: { events_per_second: 50, iterations_per_second: 5.1 } })).toMatchObject([
    { name: 'events_per_second', got: 50, holds: true },
    { name: 'iterations_per_second', got: 5, holds: false },
  ])
})

const windowsOf = (...events: readonly number[]) =>
  events.map((count, place) => ({
    at_s: 5 * place,
    active_sessions: 0,
    iterations: 0,
    events: count,
    errors: 0,
    latencies: {},
  }))

test('events are those that came in time: what a target delivers once the schedule is over makes it no faster', () => {
  const objectives: Objectives = { throughput: { events_per_second: 90 } }
  const got = (...events: readonly number[]) => {
    const total = events.reduce((sum, count) => sum + count, 0)
    const facts = {
      numbers: { events: { other: total } },
      scheduled_ms: 60_000,
      dropped: 0,
      timeline: windowsOf(...events),
    }
    return checkObjectives(objectives, facts)[0]
  }
  const even = Array.from({ length: 11 }, () => 500)
  expect(got(250, ...even, 250)).toMatchObject({ got: 100, holds: true })
  // It brings two thirds of what was asked for, for half as long again.
  const slow = Array.from({ length: 18 }, () => 333)
  expect(got(...slow)).toMatchObject({ got: expect.closeTo(66.6, 1), holds: false })
  // One session that goes on for long makes nobody slow.
  expect(got(250, ...even, 200, 10, 10, 10, 10, 10)).toMatchObject({ got: 100, holds: true })
})
