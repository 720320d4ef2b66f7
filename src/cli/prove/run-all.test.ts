import { expect, test } from 'vitest'
import { loadOf } from './run-all.ts'

const GB = 2 ** 30

test.each([
  { threads: 2, memory: 23 * GB, whole: 24 },
  { threads: 2, memory: 7 * GB, whole: 9 },
  { threads: 4, memory: 7 * GB, whole: 4 },
  { threads: 4, memory: GB, whole: 2 },
])('$threads threads with $memory bytes run $whole whole targets each side by side', ({ threads, memory, whole }) => {
  expect(loadOf(threads, memory).whole).toBe(whole)
})
