import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { shownAgain } from './shown-again.rules.ts'

const shown: JsonObject = {
  session_id: 'a',
  status: 'active',
  model: 'svc-a1-stream',
  region: '',
  auto_close: { disconnected_timeout_seconds: 60, interaction_idle_timeout_seconds: 0 },
  session: { mode: 'text_chat', active_avatar_id: 'ada' },
  avatars: [{ avatar_id: 'ada' }, { avatar_id: 'bea' }],
  control: { url: 'wss://x/v1/realtime-avatar/control?session_id=a', client_secret: '[client_secret 1]' },
}

const row = 'avatar-sessions.idempotency.retry-shows-same'

function repeated(change: JsonObject, body: JsonObject = {}, between?: JsonObject): ReadonlySet<string> {
  const trace = new TraceBuilder()
  const answer = (data: JsonObject) => ({ body: { code: 0, message: 'ok', data } })
  trace.rest('create-avatar-session', answer(shown), { idempotency_key: 'k' })
  if (between !== undefined) trace.sent(trace.opened('a'), between)
  trace.rest('create-avatar-session', answer({ ...shown, ...change }), { idempotency_key: 'k', ...body })
  return saidOf([shownAgain], trace)
}

test.each<[string, JsonObject]>([
  ['the same', {}],
  ['its id alone', Object.fromEntries(Object.keys(shown).map((name) => [name, name === 'session_id' ? 'a' : null]))],
  ['another status and a region that was found meanwhile', { status: 'closing', region: 'eu-west' }],
  ['avatars in another order', { avatars: [{ avatar_id: 'bea' }, { avatar_id: 'ada' }] }],
  ['timeouts as text', { auto_close: { disconnected_timeout_seconds: '60', interaction_idle_timeout_seconds: '0' } }],
])('a repeated create may show %s', (_, change) => {
  expect([...repeated(change)]).toEqual([`held ${row}`])
})

test.each<[string, JsonObject]>([
  ['another model', { model: 'svc-a1-stream-lite' }],
  ['another timeout', { auto_close: { disconnected_timeout_seconds: 0 } }],
  ['another mode', { session: { mode: 'video_avatar' } }],
  ['fewer avatars', { avatars: [{ avatar_id: 'ada' }] }],
])('a repeated create that shows %s is told so', (_, change) => {
  expect(repeated(change)).toContain(`broken ${row}`)
})

test('what an update changes may be shown as it is now, and another body is another matter', () => {
  const change = { session: { mode: 'text_chat', active_avatar_id: 'bea' } }
  expect(repeated(change, {}, { type: 'session.update', session: { active_avatar_id: 'bea' } })).toContain(
    `held ${row}`,
  )
  expect([...repeated(change, { region: 'eu' })]).toEqual([])
})

test('its control URL is that of no other session', () => {
  const control = { url: 'wss://x/v1/realtime-avatar/control?session_id=b' }
  expect(repeated({ control })).toContain('broken avatar-sessions.control.url-session-id-value')
})
