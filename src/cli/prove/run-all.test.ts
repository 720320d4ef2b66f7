import { expect, test } from 'vitest'
import { loadOf } from './run-all.ts'

const GB = 2 ** 30

test.each([
  { threads: 2, memory: 23 * GB, whole: 12 },
  { threads: 2, memory: 7 * GB, whole: 9 },
  { threads: 4, memory: 7 * GB, whole: 4 },
  { threads: 4, memory: GB, whole: 2 },
])('$threads threads with $memory bytes run $whole whole targets each side by side', ({ threads, memory, whole }) => {
  const load = loadOf(threads, memory)
  expect(load.whole).toBe(whole)
  // Room for all of them, and never more than there is.
  expect(load.heap_mb).toBeGreaterThan(whole * 200)
  if (memory > 4 * GB * threads) expect(threads * load.heap_mb * 1_000_000).toBeLessThan(memory)
})
