import { expect, test } from 'vitest'
import { indexTrace } from '#judge/trace-index'
import { handMadeResults } from '#testing/hand-made-results'
import type { Entry } from '#trace/entry'
import { voicesRequest } from '#testing/recording/voices-request'
import { difference } from './difference.ts'
import { differenceText } from './difference-text.ts'

/** A trace of requests that took so many milliseconds each. */
function trace(...took: readonly number[]) {
  const entries = took.flatMap((ms, nth): Entry[] => {
    const place = { exchange: nth + 1, attempt: 1 }
    return [
      voicesRequest({ t: nth * 1_000, ...place }),
      { kind: 'response', t: nth * 1_000 + ms, ...place, status: 200, headers: {}, body: { code: 0 }, bytes: 9 },
    ]
  })
  return indexTrace(entries)
}

const between = (before: readonly number[], after: readonly number[]) =>
  difference(handMadeResults([]), handMadeResults([]), { before: trace(...before), after: trace(...after) })

test('what both runs timed is compared by its percentiles', () => {
  expect(between([10, 20, 30], [10, 200, 300]).latency).toEqual([
    {
      what: 'list-voices',
      before: { count: 3, p50_ms: 20, p95_ms: 30, max_ms: 30 },
      after: { count: 3, p50_ms: 200, p95_ms: 300, max_ms: 300 },
    },
  ])
})

test('the text tells what changed by much, and no noise', () => {
  expect(differenceText(between([10, 10, 30], [10, 10, 300]))).toContain(
    '  list-voices: 30 ms -> 300 ms (p50 10 -> 10, 3 and 3 times)',
  )
  expect(differenceText(between([10, 30], [10, 300]))).not.toContain('Latency')
  expect(differenceText(between([10, 10, 10], [10, 10, 29]))).not.toContain('Latency')
  expect(differenceText(between([1_000, 1_000, 1_000], [1_000, 1_000, 1_100]))).not.toContain('Latency')
})

test('without traces nothing is said of it', () => {
  expect(difference(handMadeResults([]), handMadeResults([]))).not.toHaveProperty('latency')
})
