import { expect, test } from 'vitest'
import { createTimers } from './timers.ts'

/** Holds the thread, as a machine does that has other things to do. */
function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('what was due first rings first, though the machine stood still until all were overdue', async () => {
  const timers = createTimers()
  const rung: string[] = []
  timers.after(30, () => rung.push('first'))
  standStill(15)
  timers.after(20, () => rung.push('second'))
  const all = new Promise<void>((resolve) => timers.after(30, () => (rung.push('third'), resolve())))
  standStill(60)
  await all
  expect(rung).toEqual(['first', 'second', 'third'])
  timers.stop()
})

test('a timer that was cancelled takes no other one along, and after a stop nothing rings', async () => {
  const timers = createTimers()
  const rung: string[] = []
  const cancelled = timers.after(1, () => rung.push('cancelled'))
  cancelled.cancel()
  cancelled.cancel()
  await timers.wait(5)
  timers.after(1, () => rung.push('stopped'))
  timers.stop()
  timers.after(1, () => rung.push('set after the stop'))
  await new Promise((resolve) => void setTimeout(resolve, 10))
  expect(rung).toEqual([])
})
