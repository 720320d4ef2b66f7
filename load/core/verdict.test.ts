import { expect, test } from 'vitest'
import { type ConverseCount, converseMeasures, type ConverseTally } from './converse-measures.ts'
import { Tally } from './tally.ts'
import { judge, type Terms } from './verdict.ts'

const words = { serverEvents: ['response.done'], errorCodes: ['10003', '10008', '30004', '30006', '30008'] }
const terms: Terms = { conversations: 10, lag_bound_ms: 5 }

type Changes = readonly (readonly [ConverseCount, string, number])[]

/** Ten conversations that went well, and what was otherwise. */
function tallyOf(changes: Changes, lagMs = 0.1): ConverseTally {
  const tally: ConverseTally = new Tally(converseMeasures(words))
  tally.count('conversations', 'begun', 10)
  const lost = changes.filter(([name, key]) => name === 'conversations' && key !== 'begun' && key !== 'whole')
  tally.count('conversations', 'whole', 10 - lost.reduce((sum, [, , by]) => sum + by, 0))
  tally.count('responses', 'whole', 30)
  for (const [name, key, by] of changes) tally.count(name, key, by)
  for (let index = 0; index < 100; index += 1) tally.time('handler_lag_ms').record(lagMs)
  return tally
}

test('ten whole conversations pass', () => {
  expect(judge(tallyOf([]), terms)).toEqual({ verdict: 'pass', reasons: [] })
})

test.each<[string, Changes]>([
  ['events out of their order', [['flaws', 'delta-late', 1]]],
  ['gaps in chains', [['flaws', 'text-lost', 1]]],
  [
    'were refused',
    [
      ['conversations', 'refused', 1],
      ['turned_away', '30008', 1],
    ],
  ],
  [
    'were refused',
    [
      ['conversations', 'refused', 1],
      ['turned_away', 'http-5xx', 1],
    ],
  ],
  [
    'were refused',
    [
      ['conversations', 'refused', 1],
      ['turned_away', 'network', 1],
    ],
  ],
  ['did not open', [['conversations', 'unopened', 2]]],
  ['cut off', [['conversations', 'cut', 1]]],
  [
    'not come in time',
    [
      ['conversations', 'stopped', 1],
      ['responses', 'silent', 1],
    ],
  ],
  [
    'more events than',
    [
      ['conversations', 'stopped', 1],
      ['responses', 'flooded', 1],
    ],
  ],
  [
    'were rejected',
    [
      ['conversations', 'stopped', 1],
      ['responses', 'rejected', 1],
    ],
  ],
  ['ended failed', [['responses', 'unfinished', 1]]],
  ['no response came whole', [['responses', 'whole', -30]]],
])('%s: the target failed', (reason, changes) => {
  const { verdict, reasons } = judge(tallyOf(changes), terms)
  expect(verdict).toBe('fail')
  expect(reasons.join()).toContain(reason)
})

test.each<[string, Changes]>([
  [
    'for our key, rate or quota',
    [
      ['conversations', 'refused', 4],
      ['turned_away', '10008', 3],
      ['turned_away', '30006', 1],
    ],
  ],
  [
    'for our key, rate or quota',
    [
      ['conversations', 'refused', 10],
      ['turned_away', '10003', 10],
    ],
  ],
  [
    'did not reach the target at all',
    [
      ['conversations', 'refused', 10],
      ['turned_away', 'network', 10],
    ],
  ],
  [
    '9 of 10 conversations began',
    [
      ['conversations', 'begun', -1],
      ['conversations', 'whole', -1],
    ],
  ],
  ['did not come to their end', [['conversations', 'whole', -1]]],
  ['no load is allowed', [['conversations', 'unsafe', 1]]],
])('%s: the run is invalid', (reason, changes) => {
  const { verdict, reasons } = judge(tallyOf(changes), terms)
  expect(verdict).toBe('invalid')
  expect(reasons.join()).toContain(reason)
})

test('a generator that is behind cannot say that the target was slow', () => {
  const late: Changes = [
    ['conversations', 'stopped', 1],
    ['responses', 'silent', 1],
  ]
  const { verdict, reasons } = judge(tallyOf(late, 30), terms)
  expect(verdict).toBe('invalid')
  expect(reasons.join()).toMatch(/the generator was behind.*did not come in time/)
})

test('a generator that is behind can say that events were out of order', () => {
  expect(judge(tallyOf([['flaws', 'after-done', 1]], 30), terms).verdict).toBe('fail')
})

test('a run without a single conversation is invalid', () => {
  const empty: ConverseTally = new Tally(converseMeasures(words))
  expect(judge(empty, terms).verdict).toBe('invalid')
})
