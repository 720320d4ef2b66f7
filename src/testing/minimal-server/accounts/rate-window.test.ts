import { expect, test } from 'vitest'
import { RateWindow } from './rate-window.ts'

test('a window admits its limit, names the seconds to the next one, and then admits again', () => {
  let now = 60_000 * 100 + 1_500
  const window = new RateWindow(2, () => now)
  expect([window.spend(), window.spend(), window.spend()]).toEqual([0, 0, 59])
  now += 58_400
  expect(window.spend()).toBe(1)
  now += 1000
  expect(window.spend()).toBe(0)
})
