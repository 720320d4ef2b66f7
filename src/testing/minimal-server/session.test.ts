import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readCreateRequest } from './create-request.ts'
import { settle } from './options.ts'
import { Session } from './session.ts'

const body = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
const open = (changes: object): Session =>
  new Session('S-1', 'w', readCreateRequest({ ...body, ...changes }), settle({}))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a session is active until it expires, then closing, then closed', () => {
  const session = open({ max_duration_seconds: 4 })
  vi.advanceTimersByTime(4000)
  expect(session.status).toBe('active')
  vi.advanceTimersByTime(100)
  expect(session.status).toBe('closing')
  vi.advanceTimersByTime(100)
  expect(session.status).toBe('closed')
})

test('accepted events keep an idle session open', () => {
  const session = open({
    auto_close: { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 30 },
  })
  vi.advanceTimersByTime(29_000)
  session.touched()
  vi.advanceTimersByTime(29_000)
  expect(session.status).toBe('active')
  vi.advanceTimersByTime(2000)
  expect(session.status).toBe('closed')
})

test('a destroyed session leaves no timer behind', () => {
  open({}).destroy()
  expect(vi.getTimerCount()).toBe(0)
})
