import { expect, test } from 'vitest'
import { tallyFor } from './common-measures.ts'
import { buckets, figuresOf, FORMAT, type LoadPart, merge, printed } from './summary.ts'

const none = { counts: {}, times: [] }
const emptyTally = () => tallyFor(none, { serverEvents: ['response.done'], errorCodes: ['30008'] })

/** What one process saw: so many iterations, with creates of these milliseconds. */
function part(iterations: number, creates: readonly number[], duration: number, dropped = 0): LoadPart {
  const tally = emptyTally()
  tally.count('iterations', 'begun', iterations)
  tally.count('events', 'response.done', creates.length)
  for (const create of creates) tally.time('create_ms').record(create)
  return {
    format: FORMAT,
    run: 'r1',
    scenario: 'soak',
    workload: 'smoke',
    scale: { users: 5 },
    iterations: { soak: 4 },
    keys: [{ name: 'primary', requests_per_minute: 60, concurrent_sessions: undefined }],
    buckets,
    segments: ['0:1/3'],
    parts: 1,
    duration_ms: duration,
    dropped: { soak: dropped },
    tallies: { soak: tally.takeOut() },
  }
}

test('parts merge into exactly the whole', () => {
  const parts = [part(1, [10, 20, 30], 900, 2), part(2, [400], 1_000), part(1, [5], 700, 1)]
  expect(merge(parts)).toEqual({
    ...part(4, [5, 10, 20, 30, 400], 1_000, 3),
    parts: 3,
    segments: ['0:1/3', '0:1/3', '0:1/3'],
  })
})

test('the order of parts and of merges does not matter', () => {
  const [a, b, c] = [part(1, [10, 20, 30], 900), part(2, [400], 1_000), part(1, [5], 700)]
  expect(merge([c, merge([b, a])])).toEqual(merge([a, b, c]))
})

test('parts of a mix merge scenario by scenario', () => {
  const one = part(1, [10], 900)
  const other = { ...one, tallies: { uploads: { iterations: { begun: 1 } } }, dropped: { uploads: 1 } }
  expect(merge([one, other])).toMatchObject({
    tallies: { soak: one.tallies['soak'], uploads: { iterations: { begun: 1 } } },
    dropped: { soak: 0, uploads: 1 },
  })
})

test.each(['format', 'run', 'seed', 'scenario', 'workload', 'scale', 'iterations', 'keys', 'buckets'] as const)(
  'parts that differ in %s are not merged',
  (fact) => {
    const other = { ...part(1, [10], 900), [fact]: 'another' } as LoadPart
    expect(() => merge([part(3, [10], 900), other])).toThrow(fact)
  },
)

test('nothing cannot be merged', () => {
  expect(() => merge([])).toThrow('no part')
})

test('figures say what was measured, and leave out what was not', () => {
  const tally = emptyTally()
  tally.addJson(part(4, [10, 10], 500).tallies['soak'] ?? {})
  const figures = figuresOf(tally, 500)
  expect(figures).toMatchObject({ events: 2, events_per_second: 4 })
  expect(Object.keys(figures.times)).toEqual(['create_ms'])
  expect(figures.times['create_ms']?.p50).toBeCloseTo(10, 0)
})

test('people read the verdict first, then why', () => {
  const judgement = { verdict: 'invalid', findings: [{ text: '1 of 4 iterations began' }] } as const
  const [first, second] = printed('soak', judgement, figuresOf(emptyTally(), 0)).split('\n')
  expect(first).toBe('soak: invalid')
  expect(second).toContain('1 of 4 iterations began')
})
