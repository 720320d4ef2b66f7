import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workloads } from '../workloads.ts'
import { mostInAMinute } from './arrivals.ts'
import type { Key } from './keys.ts'
import { fewSessions, planOf, type Share } from './plan.ts'

const share = (scenario: string, weight = 1, more: Partial<Share> = {}): Share => ({
  scenario,
  weight,
  requests: 2,
  sessions: 1,
  exceeds: [],
  ...more,
})

const key = (name: string, requests_per_minute: number, concurrent_sessions?: number): Key => ({
  name,
  requests_per_minute,
  concurrent_sessions,
})

const keys = fc
  .array(
    fc.record({
      rpm: fc.integer({ min: 10, max: 100_000 }),
      sessions: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((list) => list.map(({ rpm, sessions }, index) => key(`k${index}`, rpm, sessions)))

const shares = fc
  .array(fc.record({ weight: fc.integer({ min: 1, max: 9 }), requests: fc.integer({ min: 1, max: 20 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((list) => list.map(({ weight, requests }, index) => share(`s${index}`, weight, { requests })))

const anyWorkload = fc.constantFrom(...Object.values(workloads))

test('no minute of any workload needs more requests than a key has', () => {
  fc.assert(
    fc.property(shares, anyWorkload, keys, (list, workload, all) => {
      const lanes = planOf(list, workload, all)
      for (const own of all) {
        const spent = lanes
          .filter((lane) => lane.key === own)
          .reduce((sum, lane) => {
            const { requests } = list.find(({ scenario }) => scenario === lane.scenario) as Share
            return sum + mostInAMinute(lane.arrivals) * requests
          }, 0)
        // Rates are whole numbers an hour.
        expect(spent).toBeLessThanOrEqual(0.8 * own.requests_per_minute + list.length * 20)
      }
    }),
    { numRuns: 40 },
  )
})

test('no more users than a key may have sessions, over all scenarios', () => {
  fc.assert(
    fc.property(shares, anyWorkload, keys, (list, workload, all) => {
      const lanes = planOf(list, workload, all)
      for (const own of all) {
        if (own.concurrent_sessions === undefined) continue
        const users = lanes.filter((lane) => lane.key === own).reduce((sum, lane) => sum + lane.users, 0)
        expect(users).toBeLessThanOrEqual(Math.max(own.concurrent_sessions, list.length))
      }
    }),
    { numRuns: 40 },
  )
})

test('smoke fits into the default limit as it is', () => {
  expect(planOf([share('a')], workloads.smoke, [key('primary', 60)])).toMatchObject([{ iterations: 5, users: 5 }])
})

test('a rate is divided by what the keys may spend', () => {
  const lanes = planOf([share('a')], workloads.average, [key('big', 30_000), key('small', 10_000)])
  expect(lanes.map(({ key: { name }, iterations }) => [name, iterations])).toEqual([
    ['big', 210],
    ['small', 70],
  ])
})

test('a mix is divided by weight', () => {
  const lanes = planOf([share('a', 3), share('b', 1)], workloads.average, [key('primary', 60_000)])
  expect(lanes.map(({ scenario, iterations }) => [scenario, iterations])).toEqual([
    ['a', 210],
    ['b', 70],
  ])
})

test('what is meant to exceed a budget does', () => {
  const [lane] = planOf([share('a', 1, { exceeds: ['requests', 'sessions'] })], workloads.average, [
    key('primary', 60, 2),
  ])
  expect(lane).toMatchObject({ iterations: 280, users: 100 })
})

test('sessions that hold fewer iterations at a time than the workload wants lower the whole shape', () => {
  const soaking = [share('a', 1, { busy_ms: 5_000 })]
  const lanes = planOf(soaking, workloads.spike, [key('roomy', 60_000), key('tight', 60_000, 20)])
  // Of 40 a second, 20 for each key: its 20 sessions hold 16 iterations, 3.2 of them a second.
  expect(lanes.map(({ users, arrivals }) => [users, arrivals.stages[2]?.rate])).toEqual([
    [200, 3.2],
    [20, 3.2],
  ])
  expect(fewSessions(soaking[0] as Share, 1, workloads.spike, [key('tight', 60_000, 20)])).toBe(true)
  expect(fewSessions(soaking[0] as Share, 1, workloads.smoke, [key('tight', 60_000, 20)])).toBe(false)
})
