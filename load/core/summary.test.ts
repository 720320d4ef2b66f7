import { expect, test } from 'vitest'
import { converseMeasures, type ConverseTally } from './converse-measures.ts'
import { type LoadSummary, merge, printed, type RunFacts, summarize } from './summary.ts'
import { Tally } from './tally.ts'

const facts: RunFacts = {
  run: 'r1',
  scenario: 'event-throughput',
  workload: 'smoke',
  conversations: 4,
  lag_bound_ms: 5,
}

const emptyTally = (): ConverseTally =>
  new Tally(converseMeasures({ serverEvents: ['response.done'], errorCodes: ['30008'] }))

/** What one process saw: so many conversations, with responses of these milliseconds. */
function tallyOf(conversations: number, responses: readonly number[]): ConverseTally {
  const tally = emptyTally()
  tally.count('conversations', 'begun', conversations)
  tally.count('conversations', 'whole', conversations)
  tally.count('responses', 'whole', responses.length)
  tally.count('events', 'response.done', responses.length)
  for (const response of responses) tally.time('response_ms').record(response)
  return tally
}

const part = (conversations: number, responses: readonly number[], duration: number): LoadSummary =>
  JSON.parse(JSON.stringify(summarize(facts, tallyOf(conversations, responses), 1, duration)))

test('parts merge into exactly the summary of the whole', () => {
  const parts = [part(1, [10, 20, 30], 900), part(2, [400], 1_000), part(1, [5], 700)]
  const whole = summarize(facts, tallyOf(4, [10, 20, 30, 400, 5]), 3, 1_000)
  expect(merge(parts, emptyTally())).toEqual(whole)
  expect(whole.verdict).toBe('pass')
})

test('the order of parts and of merges does not matter', () => {
  const [a, b, c] = [part(1, [10, 20, 30], 900), part(2, [400], 1_000), part(1, [5], 700)]
  const nested = merge([c, merge([b, a], emptyTally())], emptyTally())
  expect(nested).toEqual(merge([a, b, c], emptyTally()))
})

test('a part alone is invalid, since the others are missing', () => {
  const { verdict, reasons } = part(1, [10], 900)
  expect([verdict, reasons]).toEqual(['invalid', ['1 of 4 conversations began']])
})

test.each(['run', 'scenario', 'workload', 'conversations', 'lag_bound_ms'] as const)(
  'summaries that differ in %s are not merged',
  (fact) => {
    const stranger = { ...part(1, [10], 900), [fact]: 'another' }
    expect(() => merge([part(3, [10], 900), stranger], emptyTally())).toThrow(fact)
  },
)

test('nothing cannot be merged', () => {
  expect(() => merge([], emptyTally())).toThrow('no summary')
})

test('figures say what was measured, and null where nothing was', () => {
  const { figures } = summarize(facts, tallyOf(4, [10, 10]), 1, 500)
  expect(figures).toMatchObject({ events: 2, events_per_second: 4, responses_whole: 2 })
  expect(figures.times['response_ms']?.p50).toBeCloseTo(10, 0)
  expect(figures.times['delta_gap_ms']).toEqual({ p50: null, p90: null, p99: null })
})

test('people read the verdict first, then why', () => {
  const [first, second] = printed(part(1, [10], 900)).split('\n')
  expect(first).toBe('event-throughput · smoke · 1 k6 · 0.9 s: invalid')
  expect(second).toContain('1 of 4 conversations began')
})
