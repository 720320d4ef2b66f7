import { expect, test } from 'vitest'
import { RunAborted } from '#client/errors'
import { createSimulatedTime, Running, simulatedClock } from './simulated-clock.ts'

const hour = 3_600_000
const never = undefined

/** A clock on a machine whose own time stands still, unless it is told. */
function stillClock(running = new Running()) {
  const simulatedTime = createSimulatedTime()
  const machine = { time: 0 }
  return {
    simulatedTime,
    machine,
    running,
    clock: simulatedClock(simulatedTime, () => machine.time + simulatedTime.skippedMs(), running),
  }
}

/** Scenarios that run beside each other. */
function beside(...ids: readonly string[]): Running {
  const running = new Running()
  for (const id of ids) running.start(id)
  return running
}

test('who waits alone for a limit to recover has waited at once, and both sides know it', async () => {
  const { simulatedTime, clock } = stillClock(beside('one'))
  await clock.sleep(hour, never, 'quiet')
  await clock.sleep(hour, never, 'retry-after')
  await clock.sleep(hour, never, 'pace')
  expect([simulatedTime.skippedMs(), clock.now()]).toEqual([3 * hour, 3 * hour])
})

test('nothing is passed over while others run; what is left is, once they are done', async () => {
  const { simulatedTime, clock, running } = stillClock(beside('one', 'other'))
  const waited = running.within('one', () => clock.sleep(hour, never, 'retry-after'))
  await new Promise((resolve) => void setTimeout(resolve, 120))
  expect(simulatedTime.skippedMs()).toBe(0)
  running.end('other')
  await waited
  expect(simulatedTime.skippedMs()).toBe(hour)
})

test('where all that run are waiting, time passes to the end of the shortest wait, and on', async () => {
  const { simulatedTime, clock, running } = stillClock(beside('one', 'other'))
  const ends: number[] = []
  const wait = (id: string, ms: number) =>
    running.within(id, async () => {
      await clock.sleep(ms, never, 'pace')
      ends.push(clock.now())
      running.end(id)
    })
  await Promise.all([wait('one', hour), wait('other', 2 * hour)])
  expect(ends).toEqual([hour, 2 * hour])
  expect(simulatedTime.skippedMs()).toBe(2 * hour)
})

test('sessions and their timers go by the clock of the machine', async () => {
  const { simulatedTime, clock } = stillClock(beside('one'))
  for (const why of ['timer', 'event', 'quota', 'backoff', undefined] as const) await clock.sleep(1, never, why)
  expect(simulatedTime.skippedMs()).toBe(0)
})

test.each([
  ['alone', beside('one')],
  ['beside others', beside('one', 'other')],
])('a wait ends with the run, %s', async (_, running) => {
  const { clock } = stillClock(running)
  await expect(clock.sleep(hour, AbortSignal.abort(), 'quiet')).rejects.toThrow(RunAborted)
})
