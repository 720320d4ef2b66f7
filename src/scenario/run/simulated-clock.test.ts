import { expect, test } from 'vitest'
import { RunAborted } from '#client/errors'
import { createSimulatedTime, simulatedClock } from './simulated-clock.ts'

const hour = 3_600_000
const never = undefined

/** A clock on a machine whose own time stands still, unless it is told. */
function stillClock(alone: () => boolean) {
  const simulatedTime = createSimulatedTime()
  const machine = { time: 0 }
  return {
    simulatedTime,
    machine,
    clock: simulatedClock(simulatedTime, () => machine.time + simulatedTime.skippedMs(), alone),
  }
}

test('who waits alone for a limit to recover has waited at once, and both sides know it', async () => {
  const { simulatedTime, clock } = stillClock(() => true)
  await clock.sleep(hour, never, 'quiet')
  await clock.sleep(hour, never, 'retry-after')
  await clock.sleep(hour, never, 'pace')
  expect([simulatedTime.skippedMs(), clock.now()]).toEqual([3 * hour, 3 * hour])
})

test('nothing is passed over while others run; what is left is, once they are done', async () => {
  let looks = 0
  const { simulatedTime, machine, clock } = stillClock(() => {
    machine.time += 1_000
    looks += 1
    return looks > 2
  })
  await clock.sleep(hour, never, 'retry-after')
  expect([looks, simulatedTime.skippedMs()]).toEqual([3, hour - 2_000])
  expect(machine.time + simulatedTime.skippedMs()).toBe(hour + 1_000)
})

test('sessions and their timers go by the clock of the machine', async () => {
  const { simulatedTime, clock } = stillClock(() => true)
  for (const why of ['timer', 'event', 'quota', 'backoff', undefined] as const) await clock.sleep(1, never, why)
  expect(simulatedTime.skippedMs()).toBe(0)
})

test.each([false, true])('a wait ends with the run (alone: %s)', async (alone) => {
  const { clock } = stillClock(() => alone)
  await expect(clock.sleep(hour, AbortSignal.abort(), 'quiet')).rejects.toThrow(RunAborted)
})
