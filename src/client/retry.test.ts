import { expect, test } from 'vitest'
import { retryAfter } from './retry-after.ts'
import { pauseAfter } from './retry.ts'
import type { Exchange } from './types.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 0)
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
  expect(pauseAfter(limited, 1, false, now)).toEqual({ ms: 21_000, why: 'retry-after' })
})

test('a wait that is longer than any rate window is not tried', () => {
  const limited = answer({ status: 429, code: 10008, headers: { 'retry-after': '3600' } })
  expect(pauseAfter(limited, 1, true, now)).toBeUndefined()
})

test('429 without Retry-After is tried again soon, 30006 is not', () => {
  expect(pauseAfter(answer({ status: 429, code: 30008 }), 1, false, now)).toEqual({ ms: 400, why: 'backoff' })
  expect(pauseAfter(answer({ status: 429, code: 30008 }), 2, false, now)).toEqual({ ms: 800, why: 'backoff' })
  expect(pauseAfter(answer({ status: 429, code: 30006 }), 1, true, now)).toBeUndefined()
})

test('weather is tried again only where a second send can do no second thing', () => {
  const weather = [
    answer({ status: 502 }),
    answer({ status: 500, code: 50000 }),
    answer({ status: 0, failure: 'reset' }),
    answer({ status: 0, failure: 'timeout' }),
  ]
  for (const one of weather) {
    expect(pauseAfter(one, 1, true, now)).toBeDefined()
    expect(pauseAfter(one, 1, false, now)).toBeUndefined()
  }
})

test('a 5xx with a code of section 7, a bad certificate and a success stand', () => {
  const final = [
    answer({ status: 502, code: 30007 }),
    answer({ status: 500, code: 30004 }),
    answer({ failure: 'tls', status: 0 }),
    answer({ status: 429, code: 0, ok: true }),
  ]
  for (const one of final) expect(pauseAfter(one, 1, true, now)).toBeUndefined()
})

test('the third attempt is the last', () => {
  expect(pauseAfter(answer({ status: 503 }), 3, true, now)).toBeUndefined()
})
