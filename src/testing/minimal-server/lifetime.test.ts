import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Lifetime } from './lifetime.ts'

let ended: string[] = []
const end = (reason: string): void => void ended.push(reason)

beforeEach(() => {
  ended = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a session that is never connected to ends after its disconnected timeout, not before', () => {
  const lifetime = new Lifetime(100, { disconnected_timeout_seconds: 10, interaction_idle_timeout_seconds: 0 }, end)
  vi.advanceTimersByTime(10_000)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(100)
  expect(ended).toEqual(['disconnected_timeout'])
  lifetime.stop()
})

test('a connection stops the disconnected clock and the last one to leave starts it anew', () => {
  const lifetime = new Lifetime(1000, { disconnected_timeout_seconds: 10, interaction_idle_timeout_seconds: 0 }, end)
  vi.advanceTimersByTime(9000)
  lifetime.connected()
  vi.advanceTimersByTime(60_000)
  lifetime.deserted()
  vi.advanceTimersByTime(9000)
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1100)
  expect(ended).toEqual(['disconnected_timeout'])
  lifetime.stop()
})

test('an accepted event resets the idle clock, a connection does not', () => {
  const lifetime = new Lifetime(1000, { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 30 }, end)
  vi.advanceTimersByTime(29_000)
  lifetime.touched()
  vi.advanceTimersByTime(29_000)
  lifetime.connected()
  expect(ended).toEqual([])
  vi.advanceTimersByTime(1100)
  expect(ended).toEqual(['interaction_idle_timeout'])
  lifetime.stop()
})

test('a session expires, and a stopped one never ends again', () => {
  const policy = { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 }
  const lifetime = new Lifetime(4, policy, end)
  vi.advanceTimersByTime(4100)
  expect(ended).toEqual(['max_duration_reached'])
  lifetime.stop()
  lifetime.touched()
  lifetime.deserted()
  expect(vi.getTimerCount()).toBe(0)
})
