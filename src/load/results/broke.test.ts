import { expect, test } from 'vitest'
import { areaUntil } from '../../../load/core/arrivals.ts'
import { Histogram } from '../../../load/core/histogram.ts'
import type { Numbers } from '../k6/lines.ts'
import { brokeIn, brokeText, type Terms } from './broke.ts'

const climb = { start_rate: 0, stages: [{ seconds: 100, rate: 20 }] }

const terms: Terms = {
  due: (from, to) => areaUntil(climb, to - 1_000) - areaUntil(climb, from - 1_000),
  latency: { create: { p95_ms: 100 } },
  lag_bound_ms: 50,
}

interface Window {
  readonly errors?: { readonly [key: string]: number }
  readonly create_ms?: number
  readonly lag_ms?: number
  /** Of what is due. */
  readonly begun?: number
}

function times(ms: number, count: number): { readonly [bucket: string]: number } {
  const buckets: { [bucket: number]: number } = {}
  const histogram = new Histogram(buckets)
  for (let time = 0; time < count; time += 1) histogram.record(ms)
  return buckets
}

/** Windows of five seconds from moment 1000 on, of which those after the first few are like `later`. */
const windows = (later: Window, healthy = 8): (readonly [number, Numbers])[] =>
  Array.from({ length: 12 }, (_, place) => {
    const at = 1_000 + 5 * place
    const { errors = {}, create_ms = 20, lag_ms = 1, begun = 1 } = place < healthy ? {} : later
    const due = terms.due(at, at + 5)
    const numbers = {
      iterations: { begun: Math.round(begun * due) },
      errors,
      create_ms: times(create_ms, 20),
      timer_lag_ms: times(lag_ms, 20),
    }
    return [at, numbers]
  })

test.each<[string, Window, string]>([
  ['answers 5xx', { errors: { 'create 503 no-envelope': 32 } }, '32 errors in 5 s'],
  ['lacks capacity', { errors: { 'create 429 30008': 32 } }, '32 errors in 5 s'],
  ['no longer answers', { errors: { 'create 0 network': 32 } }, '32 errors in 5 s'],
  ['fails on its channels', { errors: { 'in-session - server_error': 32 } }, '32 errors in 5 s'],
  ['answers 5xx while the generator is late', { lag_ms: 400, errors: { 'create 500 50000': 32 } }, '32 errors in 5 s'],
  [
    'is slower than the profile wants',
    { create_ms: 300 },
    'create p95 is 298 ms, and the profile wants at most 100 ms',
  ],
  ['holds all users', { begun: 0.5 }, 'only 21 of 43 iterations found a free user in 5 s'],
])('a target that %s from some rate on broke there', (_, later, why) => {
  expect(brokeIn(windows(later), 1_000, terms)).toEqual({
    by: 'target',
    at_s: 40,
    rate_per_s: 8.5,
    held_per_s: 7.6,
    why,
  })
})

test.each<[string, Window]>([
  ['holds', {}],
  ['refuses what is over the limits of a key', { errors: { 'create 429 10008': 40, 'create 429 30006': 40 } }],
  ['fails now and then', { errors: { 'create 503 no-envelope': 10 } }],
  ['seems to be silent or slow to a generator that is late', { lag_ms: 400, create_ms: 300, begun: 0.5 }],
  ['seems to lose answers to a generator that is late', { lag_ms: 400, errors: { 'create 0 network': 40 } }],
])('a target that %s did not break', (_, later) => {
  expect(brokeIn(windows(later), 1_000, terms)).toBeUndefined()
})

test('a target broke where more than a few requests began to fail', () => {
  const errors = { 'create 503 no-envelope': 5 }
  const failing = windows({ errors }).map((one, place) => (place < 9 ? one : undefined))
  const broken = windows({ errors: { 'create 503 no-envelope': 90 } })
  const climbing = broken.map((one, place) => failing[place] ?? one)
  expect(brokeIn(climbing, 1_000, terms)).toMatchObject({ at_s: 40, why: '5 errors in 5 s' })
})

test('a generator that is late for half a minute gave way, and the target is not told as broken', () => {
  const late = { lag_ms: 400, create_ms: 300, errors: { 'create 0 network': 40 } }
  expect(brokeIn(windows(late, 7), 1_000, terms)).toBeUndefined()
  const broke = brokeIn(windows(late, 6), 1_000, terms)
  expect(broke).toMatchObject({ by: 'generator', at_s: 30, why: 'it was late itself for 30 s' })
  expect(broke && brokeText(broke)).toMatch(/^the generator gave way 30 s after the start, at 6.5 iterations a second/)
})

test('two windows after each other, as of a restart, are no break', () => {
  const some = windows({ errors: { 'create 503 no-envelope': 40 } }, 10)
  expect(brokeIn(some, 1_000, terms)).toBeUndefined()
})

test('what was never seen to hold is not told as held', () => {
  const broke = brokeIn(windows({ errors: { 'create 503 no-envelope': 40 } }, 0), 1_000, terms)
  expect(broke).toMatchObject({ at_s: 0, held_per_s: null })
  expect(broke && brokeText(broke)).toBe(
    'the target broke 0 s after the start, at 0.5 iterations a second (40 errors in 5 s); no lower rate held before',
  )
})
