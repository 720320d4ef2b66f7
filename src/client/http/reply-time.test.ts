import { expect, test } from 'vitest'
import { createReplyTime } from './reply-time.ts'

function after(inTime: number, silent: number, reply_ms = 10_000): number {
  const time = createReplyTime(reply_ms)
  for (let count = 0; count < inTime; count += 1) time.asked()(true)
  for (let count = 0; count < silent; count += 1) time.asked()(false)
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

/** So many requests on their way at once, of which none is answered, so often; @returns the time for the next one. */
function standingStill(times: number, answeredBeside = false): number {
  const time = createReplyTime(10_000)
  for (let count = 0; count < times; count += 1) {
    const all = Array.from({ length: 30 }, () => time.asked())
    if (answeredBeside) time.asked()(true)
    for (const heard of all) heard(false)
  }
  return time.ms()
}

test('a target that stands still once, or three times, gets the time that it had', () => {
  expect([standingStill(1), standingStill(3)]).toEqual([10_000, 10_000])
})

test('one that stands still over and over is not waited for as long', () => {
  expect(standingStill(4)).toBe(2_000)
})

test('silence beside answers is that of each request', () => {
  expect(standingStill(1, true)).toBe(2_000)
})
