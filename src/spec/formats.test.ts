import { expect, test } from 'vitest'
import { isDate, isDateTime, isUri } from './formats.ts'

test('a date is a day of the calendar', () => {
  expect(['2024-02-29', '2026-12-31', '0001-01-01'].filter(isDate)).toHaveLength(3)
  expect(['2025-02-29', '2026-04-31', '2026-00-10', '2026-1-1', '20260101', ''].filter(isDate)).toEqual([])
})

test('RFC 3339 timestamps are taken in all their forms', () => {
  const forms = [
    'T11:00:00Z',
    't11:00:00z',
    'T11:00:00.5Z',
    'T11:00:00.123456789Z',
    'T11:00:00+23:59',
    'T11:00:00-00:00',
  ]
  expect(forms.filter((form) => !isDateTime(`2026-11-21${form}`))).toEqual([])
})

test('what only looks like a timestamp is refused', () => {
  const forms = [' 11:00:00Z', 'T11:00Z', 'T11:00:00', 'T24:00:00Z', 'T11:60:00Z', 'T11:00:61Z', 'T11:00:00+24:00']
  const others = ['T11:00:00+01:60', 'T11:00:00,5Z', 'T11:00:00.Z', 'T11:00:00+0100', 'T11:00:00Z ', 'T11:00:00Z\n']
  expect([...forms, ...others].filter((form) => isDateTime(`2026-11-21${form}`))).toEqual([])
})

test('a leap second ends a day in UTC', () => {
  expect(isDateTime('2016-12-31T23:59:60Z')).toBe(true)
  expect(isDateTime('2017-01-01T00:59:60+01:00')).toBe(true)
  expect(isDateTime('2016-12-31T18:59:60-05:00')).toBe(true)
  expect(isDateTime('2016-12-31T23:59:60+01:00')).toBe(false)
  expect(isDateTime('2016-12-31T22:59:60Z')).toBe(false)
})

test('a URI is absolute and holds only what RFC 3986 allows', () => {
  const good = [
    'https://a.example/x?y=1#z',
    'wss://[::1]:8443/v1?session_id=a%20b',
    'urn:uuid:1',
    'http://127.0.0.1:80',
  ]
  const bad = [
    '/v1',
    'a.example/x',
    'https://a.example/a b',
    'https://',
    'https://a.example:port/',
    'https://a/%zz',
    ':x',
  ]
  expect(good.filter((uri) => !isUri(uri))).toEqual([])
  expect(bad.filter((uri) => isUri(uri))).toEqual([])
})
