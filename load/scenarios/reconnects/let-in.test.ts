import { expect, test } from 'vitest'
import { stays } from './let-in.ts'

/** A clock on which the first look is late by so much; what had come meanwhile is heard after it. */
function haltedBy(ms: number, ended: () => void): Parameters<typeof stays>[0] {
  let [time, looks] = [0, 0]
  const later = (after: number, task: () => void): (() => void) => {
    looks += 1
    time += after + (looks === 1 ? ms : 0)
    setTimeout(task)
    if (looks === 1 && ms > 0) setTimeout(ended)
    return () => undefined
  }
  return { now: () => time, later }
}

test.each([
  [0, true],
  [3_000, false],
])('a connection is in that is still there in time; looked for %i ms late, it may have ended: %j', async (ms, isIn) => {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  expect(await stays(haltedBy(ms, end), ended)).toBe(isIn)
})
