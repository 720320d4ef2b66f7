import { expect, test } from 'vitest'
import { world } from '#scenario/author/bodies'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { descriptors } from './descriptors.rules.ts'

const row = 'world-sessions.control.expires-at-in-future'

interface Told {
  /** When the service says that it made the session. */
  readonly made?: string
  readonly headers?: { readonly [name: string]: string }
}

/** What is said of a control secret of a session that was made at noon, by a run that began then. */
function said(expires_at: string, { made = '2026-01-15T12:00:00Z', headers = {} }: Told = {}): ReadonlySet<string> {
  const control = { url: 'wss://target.example/v1/streaming-world/control', client_secret: 'secret', expires_at }
  const data = { session_id: 'ws_1', status: 'active', control, created_at: made }
  const trace = new TraceBuilder()
  trace.rest('create-world-session', { headers, body: { code: 0, message: 'ok', data } }, world())
  return saidOf([descriptors], trace)
}

test('a secret that was stale before its session was made, by the times of the same answer, lies not in the future', () => {
  expect(said('2026-01-15T11:58:30Z')).toContain(`broken ${row}`)
})

test.each([
  ['a secret for a while', '2026-01-15T12:05:00Z', {}],
  ['one of five seconds, by a machine whose clock is that far behind', '2026-01-15T11:59:56Z', {}],
  ['one by a clock that is an hour behind ours', '2026-01-15T11:05:00Z', { made: '2026-01-15T11:00:00Z' }],
  [
    'one by another clock than that of the edge',
    '2026-01-15T11:58:30Z',
    { headers: { date: 'Thu, 15 Jan 2026 11:57:00 GMT' } },
  ],
])('%s does', (_, expires_at, told) => {
  expect(said(expires_at, told)).toContain(`held ${row}`)
})
