import { expect, test } from 'vitest'
import { envelope } from '#testing/fake-service'
import { createLimits } from './refusals.ts'

/** Requests on a key, each so many milliseconds after the last one; `again` is what a refusal asks for, in seconds. */
function after(
  pauses: readonly number[],
  { again, admitted, cleanup = true }: { again?: string; admitted?: number; cleanup?: boolean } = {},
) {
  let now = 0
  const refusals = createLimits(() => now)
  const headers: { readonly [name: string]: string } = again === undefined ? {} : { 'retry-after': again }
  const refused = { ...envelope(10008, {}, 429), headers }
  refusals.heard('primary', refused, 1)
  for (const [place, pause] of pauses.entries()) {
    now += pause
    refusals.heard('primary', place === admitted ? envelope(0) : refused, 1)
  }
  return refusals.doubted('primary', { cleanup })
}

const waits = (count: number, ms: number) => Array.from({ length: count }, () => ms)

test('a key that stays refused for a minute behind each pause is not waited for any longer to clean up', () => {
  expect(after([...waits(5, 2_000), 60_000], { again: '1' })).toBe(true)
  expect(after([...waits(5, 2_000), 60_000], { again: '1', cleanup: false })).toBe(false)
})

test('neither few refusals nor a short time prove it, nor requests that came before the pause was over', () => {
  expect(after([...waits(4, 2_000), 60_000], { again: '1' })).toBe(false)
  expect(after(waits(20, 2_000), { again: '1' })).toBe(false)
  expect(after(waits(100, 900), { again: '1' })).toBe(false)
})

test('who is told no time, or was admitted once, is waited for', () => {
  expect(after(waits(20, 10_000))).toBe(false)
  expect(after([...waits(5, 2_000), 60_000], { again: '1', admitted: 5 })).toBe(false)
})
