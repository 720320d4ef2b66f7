import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import { RunAborted } from '../errors.ts'
import { allowedPerWindow, createPace } from './pace.ts'

/** Time that passes only by sleeping. */
function fakeClock(): Clock & { time: number } {
  const clock = {
    time: 0,
    now: () => clock.time,
    sleep: async (ms: number, signal: AbortSignal | undefined) => {
      await Promise.resolve()
      if (signal?.aborted === true) throw new RunAborted()
      clock.time += ms
    },
  }
  return clock
}

const window = 61_000

test('a burst goes at once up to the rate less its margin', async () => {
  const clock = fakeClock()
  const pace = createPace(undefined, clock)
  for (let count = 0; count < 58; count += 1) await pace.turn('primary', undefined)
  expect(clock.time).toBe(0)
  await pace.turn('primary', undefined)
  expect(clock.time).toBe(window)
})

test('the margin is small and never takes everything', () => {
  expect([1, 2, 10, 60, 600].map((rate) => allowedPerWindow(rate))).toEqual([1, 1, 9, 58, 582])
})

test('no window of 61 s ever holds more than allowed, whatever the callers do', async () => {
  const steps = fc.array(
    fc.record({
      idle: fc.integer({ min: 0, max: 30_000 }),
      burst: fc.integer({ min: 1, max: 12 }),
      paced: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 12 }), async (plan, rate) => {
      const clock = fakeClock()
      const pace = createPace({ primary: { requests_per_minute: rate } }, clock)
      const sent: number[] = []
      for (const { idle, burst } of plan) {
        clock.time += idle
        await Promise.all(
          Array.from({ length: burst }, () => pace.turn('primary', undefined).then(() => sent.push(clock.time))),
        )
      }
      const allowed = allowedPerWindow(rate)
      sent.forEach((time, place) => {
        const before = sent[place - allowed]
        if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(window)
      })
    }),
    { numRuns: 60 },
  )
})

test('whoever came first goes first', async () => {
  const clock = fakeClock()
  const pace = createPace({ primary: { requests_per_minute: 2 } }, clock)
  const order: number[] = []
  await Promise.all([1, 2, 3, 4, 5].map((number) => pace.turn('primary', undefined).then(() => order.push(number))))
  expect(order).toEqual([1, 2, 3, 4, 5])
})

test('keys do not wait for each other', async () => {
  const clock = fakeClock()
  const pace = createPace({ primary: { requests_per_minute: 1 }, capped: { requests_per_minute: 1 } }, clock)
  await pace.turn('primary', undefined)
  expect(await pace.turn('capped', undefined)).toBe(0)
})

test('requests that did not wait, and those of an earlier process, count as well', async () => {
  const clock = fakeClock()
  clock.time = 10_000
  const pace = createPace({ primary: { requests_per_minute: 3 } }, clock, { primary: [4_000] })
  pace.count('primary')
  expect(await pace.turn('primary', undefined)).toBe(4_000 + window - 10_000)
})

test('a hold keeps everybody on the key back, and says by how much it grew', async () => {
  const clock = fakeClock()
  const pace = createPace(undefined, clock)
  expect(pace.hold('primary', 5_000)).toBe(5_000)
  expect(pace.hold('primary', 5_000)).toBe(0)
  expect(pace.hold('primary', 7_000)).toBe(2_000)
  expect(await pace.turn('primary', undefined)).toBe(7_000)
})

test('who is aborted leaves the queue without holding up the rest', async () => {
  const clock = fakeClock()
  const pace = createPace({ primary: { requests_per_minute: 1 } }, clock)
  await pace.turn('primary', undefined)
  const run = new AbortController()
  const leaving = [pace.turn('primary', run.signal), pace.turn('primary', run.signal)]
  run.abort()
  const results = await Promise.allSettled(leaving)
  expect(results.map((result) => result.status === 'rejected' && result.reason instanceof RunAborted)).toEqual([
    true,
    true,
  ])
  expect(await pace.turn('primary', undefined)).toBe(window)
})

test('what went out lately is counted, at any pace and in any process', async () => {
  const clock = fakeClock()
  clock.time = 100_000
  const pace = createPace(undefined, clock, { primary: [4_000, 90_000] })
  pace.count('primary')
  await pace.turn('primary', undefined)
  pace.limited('primary')
  expect([5_000, 20_000, 180_000].map((ms) => pace.usage('primary', ms).sent)).toEqual([2, 3, 4])
  expect(pace.usage('primary', 180_000).limited).toBe(1)
  expect(pace.usage('primary', 180_000).silent_ms).toBe(0)
  expect(pace.usage('capped', 180_000)).toEqual({ sent: 0, silent_ms: Infinity, limited: 0, clear: 0, strayed: false })
})
