import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from '../trace-index.ts'
import { clockBehind, clockOffset, clockWhen } from './clock-offset.ts'

const noon = Date.parse('2026-01-15T12:00:00Z')

/** Sessions of so many seconds each, how many seconds late each is said to expire, and how old the `Date` of the answer is. */
function traceOf(...sessions: readonly (readonly [seconds: number, late: number, old?: number])[]) {
  const builder = new TraceBuilder()
  for (const [seconds, late, old = 0] of sessions) {
    const expires_at = new Date(noon + (seconds + late) * 1_000).toISOString()
    const answer = { status: 200, headers: { date: new Date(noon - old * 1_000).toUTCString() } }
    const body = { code: 0, message: 'ok', data: { session_id: `s${seconds}`, expires_at } }
    builder.rest('create-avatar-session', { ...answer, body }, { max_duration_seconds: seconds })
  }
  return indexTrace(builder.entries)
}

test.each([
  [
    'a clock behind that of Date shows in sessions of several durations',
    [
      [60, -90],
      [600, -90],
    ],
    -90,
  ],
  [
    'a clock ahead of it does, too',
    [
      [60, 90],
      [600, 91],
      [900, 90],
    ],
    91,
  ],
  [
    'sessions that were made shorter than asked for do not count',
    [
      [60, -90],
      [600, -90],
      [3600, -1890],
    ],
    -90,
  ],
  [
    'a single duration shows nothing',
    [
      [60, 90],
      [60, 90],
    ],
    0,
  ],
  [
    'durations that are exceeded in proportion show no clock',
    [
      [60, 60],
      [90, 90],
    ],
    0,
  ],
  [
    'an expiry at once shows no clock',
    [
      [60, -60],
      [600, -600],
    ],
    0,
  ],
  [
    'an hour is no matter of clocks',
    [
      [60, 3600],
      [600, 3600],
    ],
    0,
  ],
  [
    'a second or two are those of the answer',
    [
      [60, 2],
      [600, 1],
    ],
    0,
  ],
] as const)('%s', (_says, sessions, seconds) => {
  expect(clockOffset(traceOf(...sessions))).toBe(seconds * 1_000)
})

test.each([-1, 1])(
  'a `Date` that is wrong by half an hour (%i) shows where sessions expire in time by our own clock',
  (sign) => {
    const wrong = sign * 1_800
    expect(clockOffset(traceOf([60, 0, wrong], [600, 0, wrong]))).toBe(wrong * 1_000)
  },
)

test('a `Date` as old as the standstill in which its request waited shows no clock', () => {
  const builder = new TraceBuilder()
  builder.rest('get-avatar-session', { status: 200, headers: dated(0), body: { code: 0 } })
  for (const seconds of [4, 600]) {
    const exchange = builder.number()
    builder.request(exchange, 'create-avatar-session', { max_duration_seconds: seconds })
    const t = (builder.entries.at(-1)?.t ?? 0) + 7_000
    const data = { session_id: `s${seconds}`, expires_at: new Date(noon + t + seconds * 1_000).toISOString() }
    const body = { code: 0, message: 'ok', data }
    const answer = { status: 200, headers: dated(t - 7_000), bytes: 10, body }
    builder.pass(7_000).add({ kind: 'response', exchange, attempt: 1, ...answer, t })
  }
  expect(clockOffset(indexTrace(builder.entries))).toBe(0)
})

const dated = (t: number) => ({ date: new Date(Math.floor((noon + t) / 1_000) * 1_000).toUTCString() })

test('a `Date` that is old now and then tells nothing', () => {
  expect(clockOffset(traceOf([4, 0], [4, 0, 10], [60, 0, 7], [3600, 1]))).toBeUndefined()
})

test('a `Date` that is old is as late as those of other answers say', () => {
  const clock = noon - 4_000
  expect(clockWhen(traceOf([4, 0], [4, 0, 4]), { clock, answeredT: 0 })).toBeCloseTo(noon, -2)
})

test.each([
  [
    'sessions of a few seconds and of many that expire a little early show a clock that is behind',
    [
      [4, -4],
      [600, -4],
    ],
    -4,
  ],
  [
    'an expiry at once shows none, even where durations are nearly the same',
    [
      [4, -4],
      [5, -5],
      [600, -600],
    ],
    0,
  ],
  [
    'one that is ahead makes nothing expire early',
    [
      [4, 4],
      [600, 4],
    ],
    0,
  ],
] as const)('%s', (_says, sessions, seconds) => {
  expect(clockBehind(traceOf(...sessions))).toBe(seconds * 1_000)
})
