import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { startDeadline } from './deadline.ts'

/** This process stands still. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('what a process stood still does not count, but for one piece', async () => {
  const began = performance.now()
  const over = Promise.withResolvers<number>()
  startDeadline(800, () => over.resolve(performance.now() - began))
  standStill(1_500)
  expect(await over.promise).toBeGreaterThan(1_500 + 250)
})

test('one that is called off never comes', async () => {
  let came = false
  const off = startDeadline(10, () => {
    came = true
  })
  standStill(30)
  off()
  await new Promise((resolve) => void setTimeout(resolve, 30))
  expect(came).toBe(false)
})
