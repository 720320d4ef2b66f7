import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { sessionShape } from './shape.rules.ts'

const row = 'characters.session.expires-within-saved-duration'

/** What is said of a session of 60 s that started at noon by our clock, from a character that was made at that time. */
function said(expires_at: string, created_at = '2026-01-15T12:00:00Z'): ReadonlySet<string> {
  const trace = new TraceBuilder()
  const body = { name: 'ada', model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
  const saved = { ...body, max_duration_seconds: 60 }
  const data = { ...saved, character_id: 'chr_a', created_at, updated_at: created_at }
  trace.rest('create-character', { body: { code: 0, message: 'ok', data } }, saved, 'primary', '/v1/characters')
  const session = { session_id: 'session-a', status: 'active', expires_at }
  const path = '/v1/realtime-avatar/character-sessions'
  const answer = { body: { code: 0, message: 'ok', data: session } }
  trace.rest('create-session-from-character', answer, { character_id: 'chr_a' }, 'primary', path)
  return saidOf([sessionShape], trace)
}

test('a session that is said to live an hour longer is found where no answer has a date', () => {
  expect(said('2026-01-15T13:01:00Z')).toContain(`broken ${row}`)
})

test.each([
  ['its time', '2026-01-15T12:01:00Z', undefined],
  ['ten minutes more, since clocks may be apart', '2026-01-15T12:10:30Z', undefined],
  ['an hour more by a clock that is an hour ahead', '2026-01-15T13:01:00Z', '2026-01-15T13:00:00Z'],
])('of %s nothing is said then', (_, expires_at, created_at) => {
  expect([...said(expires_at, created_at)].filter((one) => one.endsWith(row))).toEqual([])
})
