import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHttpDate, readRetryAfter } from './retry-after.ts'

const now = Date.UTC(2026, 10, 23, 12, 0, 0)

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['1.5', 1_500],
  ['120', 120_000],
])('%j is %d milliseconds', (value, ms) => {
  expect(readRetryAfter(value, undefined, now)).toBe(ms)
})

test.each([
  undefined,
  '',
  '-1',
  'soon',
  '7 seconds',
  '0x10',
  'NaN',
  'Infinity',
  'Mon, 32 Foo 2026 12:00:00 GMT',
  '1e3',
])('%j asks for nothing', (value) => {
  expect(readRetryAfter(value, undefined, now)).toBeUndefined()
})

test.each(['Mon, 23 Nov 2026 12:00:09 GMT', 'Monday, 23-Nov-26 12:00:09 GMT', 'Mon Nov 23 12:00:09 2026'])(
  '%s is a date of HTTP',
  (text) => {
    expect(readHttpDate(text)).toBe(now + 9_000)
  },
)

test("a date is held against the service's own clock", () => {
  const date = 'Mon, 23 Nov 2026 12:00:04 GMT'
  expect(readRetryAfter('Mon, 23 Nov 2026 12:00:09 GMT', date, now + 3_600_000)).toBe(5_000)
  expect(readRetryAfter('Mon, 23 Nov 2026 12:00:09 GMT', undefined, now)).toBe(9_000)
})

test('a date that has passed asks for no wait', () => {
  expect(readRetryAfter('Mon, 23 Nov 2026 11:00:00 GMT', undefined, now)).toBe(0)
})

test('any second that HTTP can write is read as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_799 }), (seconds) => {
      expect(readHttpDate(new Date(seconds * 1_000).toUTCString())).toBe(seconds * 1_000)
    }),
  )
})

test('whatever stands there, the wait is no number below zero', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (value, date) => {
      const wait = readRetryAfter(value, date, now)
      expect(wait === undefined || wait >= 0).toBe(true)
    }),
  )
})
