import { expect, test } from 'vitest'
import { nightChanges } from './changes.ts'
import type { Night } from './night.ts'

const nights = (count: number, tonight: Night['metrics'], verdict: Night['verdict'] = 'pass'): readonly Night[] =>
  Array.from({ length: count }, (_, index) => ({
    night: `2026-01-${String(index + 1).padStart(2, '0')}`,
    run: `run-${index}`,
    scenario: 'soak',
    workload: 'average',
    fingerprint: 'one',
    verdict: index === count - 1 ? verdict : 'pass',
    metrics:
      index === count - 1
        ? tonight
        : {
            'create.p50_ms': 8 + (index % 2),
            'create.p95_ms': 20 + (index % 3),
            events_per_s: 100,
            'close.p50_ms': 40,
          },
  }))

const slow = { 'create.p50_ms': 108, 'create.p95_ms': 137, events_per_s: 40, 'close.p50_ms': 20 }

test('what changed stands in one line for each operation, with its numbers, and what is worse first', () => {
  expect(nightChanges(nights(12, slow))).toEqual([
    { direction: 'worse', text: 'create: p50 8 → 108 ms, p95 21 → 137 ms' },
    { direction: 'worse', text: 'Events a second: 100 → 40 /s' },
    { direction: 'better', text: 'close: p50 40 → 20 ms' },
  ])
})

test('nothing is said of a night that is invalid, or that has too few before it', () => {
  expect(nightChanges(nights(12, slow, 'invalid'))).toEqual([])
  expect(nightChanges(nights(6, slow))).toEqual([])
  expect(nightChanges([])).toEqual([])
})
