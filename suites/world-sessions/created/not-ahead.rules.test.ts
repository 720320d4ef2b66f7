import { expect, test } from 'vitest'
import { world } from '#scenario/author/bodies'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { notAhead } from './not-ahead.rules.ts'

const row = 'world-sessions.session.created-at-not-ahead'
const date = 'Sat, 21 Nov 2026 12:00:00 GMT'

interface Clocks {
  /** `Date` of the answer. */
  readonly theirs?: string
  /** When the run began, a moment before. */
  readonly ours?: string
}

function said(created_at: string, { theirs = date, ours = '2026-11-21T12:00:00Z' }: Clocks = {}): readonly string[] {
  const data = { session_id: 'ws_1', status: 'active', created_at }
  const trace = new TraceBuilder({ date: ours })
  const headers = theirs === '' ? {} : { date: theirs }
  trace.rest('create-world-session', { headers, body: { code: 0, message: 'ok', data } }, world())
  return [...saidOf([notAhead], trace)]
}

test.each(['2026-11-21T14:00:00Z', '2026-11-21T12:15:30Z', '2026-11-21T20:00:00.5+00:00'])(
  '%s, which is the time of another zone and said to be UTC, lies ahead of the creation',
  (created_at) => {
    expect(said(created_at)).toEqual([`broken ${row}`])
    expect(said(created_at, { ours: '2026-11-20T12:00:00Z' })).toEqual([`broken ${row}`])
  },
)

test.each(['2026-11-21T12:00:00.5Z', '2026-11-21T14:00:00+02:00', '2026-11-21T12:09:59Z', '2025-11-20t12:00:00z'])(
  '%s does not',
  (created_at) => expect(said(created_at)).toEqual([`held ${row}`]),
)

test('a Date that an edge writes by a clock of yesterday tells nothing against a time that is ours', () => {
  expect(said('2026-11-21T12:00:00Z', { theirs: 'Fri, 20 Nov 2026 12:00:00 GMT' })).toEqual([`held ${row}`])
})

test('without a Date nothing is said, nor of what is no timestamp', () => {
  expect(said('2026-11-21T14:00:00Z', { theirs: '' })).toEqual([`unobserved ${row}`])
  expect(said('2026-11-21T14:00:00')).toEqual([])
})

test('a leap second is no time of another zone', () => {
  const clocks = { theirs: 'Thu, 31 Dec 2026 23:59:59 GMT', ours: '2026-12-31T23:59:59Z' }
  expect(said('2026-12-31T23:59:60Z', clocks)).toEqual([`held ${row}`])
})
