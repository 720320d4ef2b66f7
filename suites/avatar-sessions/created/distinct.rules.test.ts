import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { sessionsApart } from './distinct.rules.ts'

const media = (room_id: string) => ({ transport: 'rtc_a', rtc_a: { sdk_app_id: 'app', room_id } })

/** Session `a` has a room; `b` begins in text and is told of one when it turns to video. */
function told(room: string, { closedBefore = false, seenLater = true } = {}): ReadonlySet<string> {
  const trace = new TraceBuilder()
  const answer = (session_id: string, rest = {}) => ({
    body: { code: 0, message: 'ok', data: { session_id, ...rest } },
  })
  trace.rest('create-avatar-session', answer('a', { delivery: { media: media('room-a') } }), { region: 'a' })
  trace.rest('create-avatar-session', answer('b'), { region: 'b' })
  const channel = trace.opened('b')
  if (closedBefore) {
    trace.rest('close-avatar-session', answer('a'), {}, 'primary', '/v1/realtime-avatar/sessions/a/close')
    trace.pass(10)
  }
  trace.received(channel, { type: 'session.updated', media: media(room) })
  trace.received(channel, { type: 'session.updated', media: media(room) })
  if (seenLater)
    trace.rest('get-avatar-session', answer('a', { status: 'active' }), {}, 'primary', '/v1/realtime-avatar/sessions/a')
  return saidOf([sessionsApart], trace)
}

const row = 'avatar-sessions.delivery.rtc-a-room-session-scoped'

test('an update tells no room of another open session', () => {
  expect(told('room-b')).not.toContain(`broken ${row}`)
  expect(told('room-a')).toContain(`broken ${row}`)
})

test('a room may be used again once its session was closed, or may have ended by itself', () => {
  expect(told('room-a', { seenLater: false })).not.toContain(`broken ${row}`)
  expect(told('room-a', { closedBefore: true })).not.toContain(`broken ${row}`)
})
