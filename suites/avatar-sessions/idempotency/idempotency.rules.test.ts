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
