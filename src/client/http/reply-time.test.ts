import { expect, test } from 'vitest'
import { createReplyTime } from './reply-time.ts'

function after(inTime: number, silent: number, reply_ms = 10_000): number {
  const time = createReplyTime(reply_ms)
  for (let count = 0; count < inTime; count += 1) time.heard(true)
  for (let count = 0; count < silent; count += 1) time.heard(false)
  return time.ms()
}

test('where every other reply never comes, the next ones are not waited for as long', () => {
  expect(after(10, 9)).toBe(10_000)
  expect(after(10, 10)).toBe(2_000)
})

test('some that are lost among many change nothing', () => {
  expect(after(100, 20)).toBe(10_000)
})

test('a short time stays as it is', () => {
  expect(after(0, 30, 500)).toBe(500)
})
