import { expect, test } from 'vitest'
import type { Context } from './context.ts'
import { waitForRateBudget } from './rate-budget.ts'

/** A key at 60 requests a minute, of which one leaves the window each second. */
function waits(sent: number, requests: number): Promise<number> {
  let waited = 0
  const context = {
    profile: { limits: { primary: { requests_per_minute: 60 } } },
    usage: () => ({ sent: Math.max(0, sent - waited), limited: 0 }),
    wait: async () => void (waited += 1),
  } as unknown as Context
  return waitForRateBudget(context, 'primary', requests).then(() => waited)
}

test.each([
  ['a key with room is not waited for', 54, 4, 0],
  ['a used one is, until so many may go at once', 58, 4, 4],
  ['what never fits is not waited for', 58, 59, 0],
  ['nor longer than a window', 1_000, 4, 61],
])('%s', async (_, sent, requests, expected) => {
  expect(await waits(sent, requests)).toBe(expected)
})
