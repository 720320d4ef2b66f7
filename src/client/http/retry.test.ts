import { expect, test } from 'vitest'
import { retryAfter } from './retry-after.ts'
import { pauseAfter } from './retry.ts'
import type { Exchange } from '../types.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 0)
/** The first attempt of what a second send may do twice. */
const pauses = [1_000, 3_000, 9_000, 27_000]
const first = { attempt: 1, safe: false, admits: false, now, pauses }
const answer = (part: Partial<Exchange>): Exchange => ({
  exchange: 1,
  status: 200,
  headers: {},
  body: undefined,
  code: undefined,
  message: undefined,
  data: undefined,
  ok: false,
  failure: undefined,
  ...part,
})

test.each([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['zero', { 'retry-after': ' 0 ' }, 0],
  ['a date, by our clock', { 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, 30_000],
  [
    'a date, by the clock of the answer',
    { 'retry-after': 'Thu, 01 Jan 2026 15:00:30 GMT', date: 'Thu, 01 Jan 2026 15:00:00 GMT' },
    30_000,
  ],
  ['a date gone by', { 'retry-after': 'Wed, 31 Dec 2025 12:00:00 GMT' }, 0],
  ['nothing', {}, undefined],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['a negative number', { 'retry-after': '-1' }, undefined],
  ['a fraction', { 'retry-after': '1.5' }, undefined],
])('Retry-After of %s', (_, headers, ms) => {
  expect(retryAfter(headers, now)).toBe(ms)
})

test('10008 is waited out for as long as the header says and a second more', () => {
  const limited = answer({ status: 429, code: 10008, headers: { 'retry-after': '20' } })
  expect(pauseAfter(limited, first)).toEqual({
    ms: 21_000,
    why: 'retry-after',
  })
})

test('a wait that is longer than any rate window is not tried', () => {
  const limited = answer({ status: 429, code: 10008, headers: { 'retry-after': '3600' } })
  expect(pauseAfter(limited, { ...first, safe: true })).toBeUndefined()
})

/** Pauses, in order, of ten requests in a row that were refused at one moment. */
const spreadOf = (attempt: number): readonly number[] =>
  Array.from({ length: 10 }, (_, place) => answer({ exchange: 200 + place, status: 429, code: 30008 }))
    .map((one) => pauseAfter(one, { ...first, attempt })?.ms ?? Number.NaN)
    .toSorted((a, b) => a - b)

test('429 without Retry-After is tried again soon, 30006 is not', () => {
  const [once, twice] = [spreadOf(1), spreadOf(2)]
  expect(once.every((ms) => ms >= 200 && ms < 600)).toBe(true)
  expect(twice.every((ms) => ms >= 400 && ms < 1_200)).toBe(true)
  expect(pauseAfter(answer({ status: 429, code: 30008 }), first)?.why).toBe('backoff')
  expect(pauseAfter(answer({ status: 429, code: 30006 }), { ...first, safe: true })).toBeUndefined()
})

test('what was refused at one moment does not come back at one moment', () => {
  for (const spread of [spreadOf(1), spreadOf(2)]) {
    const gaps = spread.slice(1).map((ms, place) => ms - (spread[place] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(20)
  }
})

test('a transport failure is tried again only where a second send does no harm', () => {
  const transportFailures = [
    answer({ status: 502 }),
    answer({ status: 0, failure: 'reset' }),
    answer({ status: 0, failure: 'timeout' }),
  ]
  for (const one of transportFailures) {
    expect(pauseAfter(one, { ...first, safe: true })).toBeDefined()
    expect(pauseAfter(one, first)).toBeUndefined()
  }
})

test('what never reached the target, or was refused by an edge, is sent again whatever it was', () => {
  const unsent = [
    answer({ status: 0, failure: 'refused' }),
    answer({ status: 0, failure: 'dns' }),
    answer({ status: 403, headers: { 'content-type': 'text/html' } }),
    answer({ status: 429, body: { message: 'Too many requests' } }),
  ]
  for (const one of unsent) expect(pauseAfter(one, first)).toEqual({ ms: 1_000, why: 'backoff' })
})

test('the pauses grow up to half a minute, for a page of a 4xx not as far', () => {
  const most = (one: Exchange) =>
    [1, 2, 3, 4, 5].map((attempt) => pauseAfter(one, { ...first, attempt, safe: true })?.ms)
  expect(most(answer({ status: 503 }))).toEqual([...pauses, undefined])
  expect(most(answer({ status: 0, failure: 'reset' }))).toEqual([...pauses, undefined])
  expect(most(answer({ status: 408 }))).toEqual([...pauses.slice(0, 3), undefined, undefined])
})

test('JSON without a code in a 4xx, and a redirect, may be a gateway’s for a moment', () => {
  const answers = [
    answer({ status: 404, body: { message: 'no Route matched with those values' } }),
    answer({ status: 302, headers: { 'content-type': 'text/html', location: '/maintenance.html' } }),
  ]
  for (const one of answers) expect(pauseAfter(one, first)).toEqual({ ms: 1_000, why: 'backoff' })
})

test('other JSON is an answer, whatever it lacks', () => {
  const answers = [
    answer({ status: 404, body: [] }),
    answer({ status: 404, body: { data: null, error: 'no' } }),
    answer({ status: 200, body: { session_id: 's' } }),
    answer({ status: 500, body: { code: '50000', message: 'x' } }),
  ]
  for (const one of answers) expect(pauseAfter(one, { ...first, safe: true })).toBeUndefined()
})

test('a target that says itself that it failed is asked twice more, whatever was asked', () => {
  const failed = answer({ status: 500, code: 50000 })
  const most = (safe: boolean) => [1, 2, 3, 4].filter((attempt) => pauseAfter(failed, { ...first, attempt, safe }))
  expect(most(false)).toEqual([1, 2])
  expect(most(true)).toEqual([1, 2, 3])
})

test('what the caller takes for passing is tried again at once, and once more some seconds later', () => {
  const provider = answer({ status: 502, code: 30007 })
  expect(pauseAfter(provider, { ...first, passing: 30007 })).toEqual({ ms: 400, why: 'backoff' })
  expect(pauseAfter(provider, { ...first, passing: 30007, attempt: 2 })).toEqual({ ms: 4_000, why: 'backoff' })
  expect(pauseAfter(provider, { ...first, passing: 30007, attempt: 3 })).toBeUndefined()
  expect(pauseAfter(provider, { ...first, passing: 30008 })).toBeUndefined()
})

test('a 5xx with a code of section 7, a bad certificate and a success stand', () => {
  const final = [
    answer({ status: 502, code: 30007 }),
    answer({ status: 500, code: 30004 }),
    answer({ failure: 'tls', status: 0 }),
    answer({ status: 429, code: 0, ok: true }),
  ]
  for (const one of final) expect(pauseAfter(one, { ...first, safe: true })).toBeUndefined()
})

test('where others use the same key the pauses grow, and not for all by the same', () => {
  const limited = answer({ status: 429, code: 10008, headers: { 'retry-after': '1' } })
  const waits = (at: number, admits = true) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => pauseAfter(limited, { attempt, safe: true, admits, now: at, pauses })?.ms)
  expect(waits(0)).toEqual([2_000, 2_000, 3_000, 4_000, 6_000, 10_000, 18_000, undefined])
  expect(waits(999)).toEqual([2_000, 2_000, 4_998, 7_996, 13_992, 25_984, 26_000, undefined])
  expect(waits(0, false)).toEqual([2_000, 2_000, ...Array.from({ length: 6 })])
})
