import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketOf } from '../../../load/core/histogram.ts'
import { total } from './readings.ts'
import { Timeline } from './timeline.ts'

const window = (at: number, tally: { readonly [name: string]: { readonly [key: string]: number } }) =>
  ({ kind: 'window', at, scenario: 'soak', tally }) as const

test('open sessions are counted on from window to window, and a window without news stands in its place', () => {
  const timeline = new Timeline()
  timeline.add(window(1_015, { sessions: { closed: 2 } }))
  timeline.add(window(1_000, { sessions: { opened: 2 }, iterations: { begun: 2 } }))
  timeline.add(
    window(1_000, { sessions: { opened: 1 }, events: { 'response.done': 7 }, errors: { 'create 500 other': 1 } }),
  )
  const rows = timeline.rows(1_001)
  expect(rows.map(({ at_s }) => at_s)).toEqual([0, 4, 9, 14])
  expect(rows.map(({ active_sessions }) => active_sessions)).toEqual([3, 3, 3, 1])
  expect(rows[0]).toMatchObject({ iterations: 2, events: 7, errors: 1 })
})

test('times of a window are those of its users together, without the times of the generator', () => {
  const timeline = new Timeline()
  const bucket = String(bucketOf(100))
  timeline.add(window(1_000, { create_ms: { [bucket]: 1 }, handler_lag_ms: { 3: 5 }, create_intended_ms: { 9: 1 } }))
  timeline.add(window(1_000, { create_ms: { [bucket]: 2 } }))
  const [row] = timeline.rows(1_000)
  expect(Object.keys(row?.latencies ?? {})).toEqual(['create'])
  expect(row?.latencies['create']?.p50).toBeGreaterThan(97)
  expect(row?.latencies['create']?.p50).toBeLessThan(103)
})

test('a run of which nothing was heard has no windows', () => {
  expect(new Timeline().rows(1_000)).toEqual([])
  expect(new Timeline().live(1_000)).toEqual({ events_per_s: 0, p95: undefined, errors: 0 })
})

test('what is shown while it runs is of the last ten seconds', () => {
  const timeline = new Timeline()
  timeline.add(window(900, { events: { other: 9_999 }, errors: { other: 1 } }))
  timeline.add(window(1_000, { events: { other: 100 }, first_delta_ms: { [bucketOf(5)]: 1 } }))
  timeline.add(window(1_005, { events: { other: 100 }, request_ms: { [bucketOf(50)]: 1 } }))
  const live = timeline.live(1_010)
  expect(live).toMatchObject({ events_per_s: 20, errors: 1, p95: { operation: 'first_delta' } })
})

test('of what was due and never succeeded, no time is shown', () => {
  const timeline = new Timeline()
  timeline.add(window(1_000, { create_intended_ms: { 9: 1 } }))
  expect(timeline.live(1_005).p95).toBeUndefined()
  expect(timeline.rows(1_000)[0]?.latencies).toEqual({})
})

test('nothing is lost between windows and their sum', () => {
  const lines = fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.constantFrom('a', 'b'), fc.nat(99)))
  fc.assert(
    fc.property(lines, (said) => {
      const timeline = new Timeline()
      for (const [at, key, by] of said) timeline.add(window(at, { events: { [key]: by } }))
      const sum = said.reduce((all, [, , by]) => all + by, 0)
      expect(timeline.rows(0).reduce((all, { events }) => all + events, 0)).toBe(sum)
      expect(total(timeline.sums, 'events')).toBe(sum)
    }),
  )
})
