import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { FailureReason } from '#trace/entry'
import { idempotency } from './idempotency.rules.ts'

const part = 'avatar-sessions.idempotency'
const avatars = [{ avatar_id: 'ada-1' }]

/** Creates with one key, each with the id that it was answered with or how its answer was lost, and what is found later. */
function found(answers: readonly (string | { readonly lost: FailureReason })[], ids: readonly string[]) {
  const trace = new TraceBuilder()
  const data = (session_id: string) => ({
    body: { code: 0, message: 'ok', data: { session_id, status: 'active', avatars } },
  })
  for (const answer of answers) {
    const response = typeof answer === 'string' ? data(answer) : answer.lost
    trace.rest('create-avatar-session', response, { idempotency_key: 'k', avatars })
  }
  for (const id of ids) trace.rest('get-avatar-session', data(id), {}, 'primary', `/v1/realtime-avatar/sessions/${id}`)
  return [...saidOf([idempotency], trace)].filter((one) => one.startsWith('broken'))
}

const lost = { lost: 'timeout' } as const

test('the one session of creates whose answers were all lost is no duplicate', () => {
  expect(found([lost, lost], ['a'])).toEqual([])
  expect(found([lost, lost], ['a', 'a'])).toEqual([])
})

test('a session beside the one that was answered, or two that nobody told of, are', () => {
  const row = `broken ${part}.after-timeout-one-session`
  expect(found([lost, 'a'], ['b'])).toContain(row)
  expect(found([lost, lost], ['a', 'b'])).toContain(row)
  expect(found([lost, 'a'], ['a'])).toEqual([])
})

test('another session by the same key is a duplicate where the first one is open still, and else only if that comes each time', () => {
  const row = `broken ${part}.retry-same-session`
  expect(found(['a', 'b'], [])).not.toContain(row)
  expect(found(['a', 'b'], ['a'])).toContain(row)
})

/** Two visits of a user, for whom an app has one key: each made a session. */
function visits(minutes: number, { key = 'unlisted-1', status = 'active' } = {}) {
  const trace = new TraceBuilder({ recording: 'watch' })
  const body = { idempotency_key: 'user-1', avatars }
  const made = (session_id: string) => ({ body: { code: 0, message: 'ok', data: { session_id, status } } })
  const path = '/v1/realtime-avatar/sessions'
  trace.rest('create-avatar-session', made('a'), body, key, path)
  trace.pass(minutes * 60_000).rest('create-avatar-session', made('b'), body, key, path)
  return trace
}

function stillOpen(trace: TraceBuilder, key = 'unlisted-1') {
  const body = { code: 0, message: 'ok', data: { session_id: 'a', status: 'active' } }
  trace.pass(3_000).rest('get-avatar-session', { body }, {}, key, '/v1/realtime-avatar/sessions/a')
  return [...saidOf([idempotency], trace)].filter((one) => one.startsWith('broken'))
}

test('in a recording a key is judged for as long as its create is tried, and where it is known whose it is', () => {
  expect(stillOpen(visits(1))).toEqual([`broken ${part}.retry-same-session`])
  expect(stillOpen(visits(30))).toEqual([])
  expect(stillOpen(visits(1, { status: 'failed' }))).toEqual([])
  expect(stillOpen(visits(1, { key: 'unlisted' }), 'unlisted')).toEqual([])
  expect(saidOf([idempotency], visits(1))).toEqual(new Set([`unobserved ${part}.retry-same-session`]))
})

test('a session from before a recording, or of another app, may have the avatar of a create', () => {
  const trace = new TraceBuilder({ recording: 'watch' })
  const made = (session_id: string) => ({ body: { code: 0, message: 'ok', data: { session_id, avatars } } })
  trace.rest('create-avatar-session', 'timeout', { idempotency_key: 'k', avatars })
  trace.rest('create-avatar-session', made('a'), { idempotency_key: 'k', avatars })
  trace.rest('get-avatar-session', made('before'), {}, 'primary', '/v1/realtime-avatar/sessions/before')
  expect([...saidOf([idempotency], trace)].filter((one) => one.startsWith('broken'))).toEqual([])
})

test('creates whose bodies a recording does not show may have had a key', () => {
  const trace = new TraceBuilder({ recording: 'watch' })
  const made = { body: { code: 0, message: 'ok', data: { session_id: 'a' } } }
  for (let times = 0; times < 2; times += 1) trace.rest('create-avatar-session', made)
  expect([...saidOf([idempotency], trace)]).toEqual([])
})
