import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { expiry } from './expiry.rules.ts'

const row = 'avatar-sessions.expiry.expires-at-within-max-duration'

/** What is said of a session of 60 s that was made at noon by our clock and is said to expire at that time. */
function said(
  expires_at: string,
  headers: { readonly [name: string]: string } = {},
  created_at = '2026-01-15T12:00:00Z',
): ReadonlySet<string> {
  const trace = new TraceBuilder()
  trace.rest('upload-audio', { body: { code: 0, message: 'ok', data: { created_at } } })
  const body = { code: 0, message: 'ok', data: { session_id: 'session-a', expires_at } }
  trace.rest('create-avatar-session', { body, headers }, { max_duration_seconds: 60 })
  return saidOf([expiry], trace)
}

test('an expiry that is an hour late by our clock is late, though no answer has a date', () => {
  expect(said('2026-01-15T13:01:00Z')).toContain(`broken ${row}`)
})

test.each(['2026-01-15T12:01:00Z', '2026-01-15T12:10:30Z', '2026-01-15T11:00:00Z'])(
  'of %s nothing is said where no answer has a date: clocks may be minutes apart',
  (expires_at) => {
    expect(said(expires_at)).toEqual(new Set())
  },
)

test('a target whose clock is another one than ours tells nothing by such an expiry', () => {
  expect(said('2026-01-15T13:01:00Z', {}, '2026-01-15T13:00:00Z')).toEqual(new Set())
})

test('the date of an answer goes before our clock', () => {
  expect(said('2026-01-15T13:01:00Z', { date: 'Thu, 15 Jan 2026 13:00:00 GMT' })).toContain(`held ${row}`)
})
