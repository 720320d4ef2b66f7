import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { lifecycle } from './status.rules.ts'

const row = 'avatar-sessions.close.reaches-closed'
const path = '/v1/realtime-avatar/sessions/session-a'
const longMs = 120_000

/** A session that was asked to close, and a channel that was refused then. */
function closing(): TraceBuilder {
  const trace = new TraceBuilder()
  trace.created('session-a')
  const closed = { body: { code: 0, message: 'ok', data: {} } }
  trace.rest('close-avatar-session', closed, {}, 'primary', `${path}/close`)
  trace.refused(410)
  return trace
}

function got(trace: TraceBuilder, data: { readonly [name: string]: string }): void {
  trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, 'primary', path)
}

test('a session that Get still shows closing after all patience has not reached closed, though its secret is refused', () => {
  const trace = closing().pass(longMs)
  got(trace, { status: 'closing' })
  expect(saidOf([lifecycle], trace)).toContain(`broken ${row}`)
})

test.each([0, 45_000])('a session that Get shows closing after %i ms is given time', (ms) => {
  const trace = closing().pass(ms)
  got(trace, { status: 'closing' })
  expect(saidOf([lifecycle], trace)).toContain(`held ${row}`)
})

test('where Get shows no status, a refused channel tells', () => {
  const trace = closing().pass(longMs)
  got(trace, { session_id: 'session-a' })
  expect(saidOf([lifecycle], trace)).toContain(`held ${row}`)
})

test('a Get that tells less of the auto-close policy than the create did agrees with it; another timeout does not', () => {
  const policy = { disconnected_timeout_seconds: 60, interaction_idle_timeout_seconds: 0 }
  const made = { session_id: 'session-a', auto_close: { ...policy, max_duration_seconds: 600 } }
  for (const [idle, said] of [
    [0, 'held'],
    [30, 'broken'],
  ] as const) {
    const trace = new TraceBuilder()
    trace.rest('create-avatar-session', { body: { code: 0, message: 'ok', data: made } })
    const shown = { session_id: 'session-a', auto_close: { ...policy, interaction_idle_timeout_seconds: idle } }
    trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data: shown } }, {}, 'primary', path)
    expect(saidOf([lifecycle], trace)).toContain(`${said} avatar-sessions.session.auto-close-snapshot`)
  }
})

test.each([
  ['closing', false],
  ['failed', false],
  ['closed', true],
])('a client that is let in while Get says %s shows a mistake: %s', (status, wrong) => {
  const trace = new TraceBuilder()
  trace.created('session-a')
  got(trace, { session_id: 'session-a', status })
  const channel = trace.opened('session-a')
  trace.received(channel, { type: 'session.bootstrap.opening.done', event_id: 'o', status: 'completed' })
  expect(saidOf([lifecycle], trace).has('broken avatar-sessions.get.open-session-not-closed')).toBe(wrong)
})

test('timeouts that Get spells as texts are those of the create', () => {
  for (const [idle, said] of [
    ['60', 'held'],
    ['77', 'broken'],
  ] as const) {
    const trace = new TraceBuilder()
    const data = (timeout: number | string) => ({
      session_id: 'session-a',
      auto_close: { interaction_idle_timeout_seconds: timeout },
    })
    trace.rest('create-avatar-session', { body: { code: 0, message: 'ok', data: data(60) } })
    trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data: data(idle) } }, {}, 'primary', path)
    expect(saidOf([lifecycle], trace)).toContain(`${said} avatar-sessions.session.auto-close-snapshot`)
  }
})

test('Get of a session from a character names that session, and one of the four states', () => {
  const trace = new TraceBuilder()
  trace.rest('create-session-from-character', { body: { code: 0, message: 'ok', data: { session_id: 'session-a' } } })
  got(trace, { session_id: 'session-b', status: 'active' })
  got(trace, { session_id: 'session-a', status: 'resting' })
  const said = saidOf([lifecycle], trace)
  expect(said).toContain('broken avatar-sessions.get.names-session')
  expect(said).toContain('broken avatar-sessions.status.in-set-on-get')
})

test('a session from a character is closed like any other', () => {
  const trace = new TraceBuilder()
  trace.rest('create-session-from-character', { body: { code: 0, message: 'ok', data: { session_id: 'session-a' } } })
  trace.rest('close-avatar-session', { body: { code: 0, message: 'ok', data: {} } }, {}, 'primary', `${path}/close`)
  got(trace.pass(longMs), { status: 'closing' })
  expect(saidOf([lifecycle], trace)).toContain(`broken ${row}`)
})

test.each([
  ['a moment later, by a copy that is behind', 0, false],
  ['when every copy has caught up', 10_000, true],
])('a session that Get shows closed and then active %s', (_, ms, broken) => {
  const trace = new TraceBuilder()
  trace.created('session-a')
  got(trace, { status: 'closed' })
  got(trace.pass(ms), { status: 'active' })
  expect(saidOf([lifecycle], trace).has('broken avatar-sessions.get.open-session-not-closed')).toBe(broken)
})

test.each([
  [3, 'unobserved'],
  [4, 'broken'],
])('%i cleanups that all failed', (count, said) => {
  const trace = new TraceBuilder()
  for (let place = 0; place < count; place += 1) {
    const own = `/v1/realtime-avatar/sessions/session-${place}`
    trace.created(`session-${place}`)
    trace.rest('close-avatar-session', { body: { code: 0, message: 'ok', data: {} } }, {}, 'primary', `${own}/close`)
    const data = { session_id: `session-${place}`, status: 'failed' }
    trace.rest('get-avatar-session', { body: { code: 0, message: 'ok', data } }, {}, 'primary', own)
  }
  expect(saidOf([lifecycle], trace)).toContain(`${said} ${row}`)
})
