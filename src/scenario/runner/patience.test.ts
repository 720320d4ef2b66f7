import { expect, test } from 'vitest'
import { envelope } from '#testing/fake-service'
import { createEndings } from './endings.ts'
import { createPatience } from './patience.ts'

test('what never came is waited for in full once', () => {
  const patience = createPatience()
  expect(patience.left(30_000)).toBe(30_000)
  patience.vain()
  expect([patience.left(30_000), patience.left(5_000), patience.left(500)]).toEqual([3_000, 2_000, 500])
})

test('what came before is waited for in full once more, and as soon as it comes, always', () => {
  const patience = createPatience()
  patience.received()
  patience.vain()
  expect(patience.left(30_000)).toBe(30_000)
  patience.vain()
  expect(patience.left(30_000)).toBe(3_000)
  patience.received()
  expect(patience.left(30_000)).toBe(30_000)
})

const params = { session_id: 's-1' }

function afterClose(status: string, ms: number): number {
  let time = 0
  const endings = createEndings(10_000, () => time)
  endings.answered(envelope(0), 'close-avatar-session', { params })
  time = ms
  endings.answered(envelope(0, { session_id: 's-1', status }), 'get-avatar-session', { params })
  return endings.closed_ms
}

test('a session that stays `closing` for the whole time shortens the next waits; one that is slow does not', () => {
  expect(afterClose('closing', 10_000)).toBe(2_000)
  expect(afterClose('active', 10_000)).toBe(2_000)
  expect(afterClose('closing', 5_000)).toBe(10_000)
  expect(afterClose('closed', 10_000)).toBe(10_000)
})
