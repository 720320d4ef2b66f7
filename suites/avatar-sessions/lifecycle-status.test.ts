import { expect, test } from 'vitest'
import { saidOf } from '../../src/testing/said-of.ts'
import { TraceBuilder } from '../../src/testing/trace-builder.ts'
import { lifecycle } from './lifecycle-status.rules.ts'

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

test('a session that Get shows closing a moment after is given time', () => {
  const trace = closing()
  got(trace, { status: 'closing' })
  expect(saidOf([lifecycle], trace)).toContain(`held ${row}`)
})

test('where Get shows no status, a refused channel tells', () => {
  const trace = closing().pass(longMs)
  got(trace, { session_id: 'session-a' })
  expect(saidOf([lifecycle], trace)).toContain(`held ${row}`)
})
