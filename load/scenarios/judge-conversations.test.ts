import { expect, test } from 'vitest'
import { tallyFor } from '../core/common-measures.ts'
import { type Judgement, judgementOf } from '../core/findings.ts'
import { judgeConversations } from './judge-conversations.ts'
import { workloads } from '../workloads.ts'
import { type ResponseCount, responseMeasures } from './response-measures.ts'

type Changes = readonly (readonly [ResponseCount | 'sessions' | 'fared', string, number])[]

/** Ten conversations that went well, and what was otherwise. */
function judged(changes: Changes, lag = 0): Judgement {
  const tally = tallyFor(responseMeasures(), { serverEvents: ['response.done'], errorCodes: ['30004'] })
  tally.count('conversations', 'begun', 10)
  const lost = changes.filter(([name, key]) => name === 'conversations' && key !== 'begun' && key !== 'whole')
  tally.count('conversations', 'whole', 10 - lost.reduce((sum, [, , by]) => sum + by, 0))
  tally.count('responses', 'whole', 30)
  for (const [name, key, by] of changes) tally.count(name, key, by)
  tally.time('timer_lag_ms').record(lag)
  const { broken, trouble, invalid } = judgeConversations(tally, { workload: workloads.smoke })
  return judgementOf({ broken, trouble, invalid: lag > 100 ? [...invalid, { text: 'behind' }] : invalid })
}

test('ten whole conversations pass', () => {
  expect(judged([])).toEqual({ verdict: 'pass', findings: [] })
})

const refused = (refusal: string, by = 1): Changes => [
  ['conversations', 'refused', by],
  ['turned_away', refusal, by],
]

test.each<[string, Changes]>([
  ['once delta-late', [['flaws', 'delta-late', 1]]],
  ['2 times events-of-another', [['flaws', 'events-of-another', 2]]],
  ['once text-lost', [['flaws', 'text-lost', 1]]],
  ['was refused for want of capacity', refused('capacity')],
  ['was refused', refused('server')],
  ['was refused', refused('network')],
  ['was refused', refused('no-session')],
  ['did not open', [['conversations', 'unopened', 2]]],
  [
    'cut off',
    [
      ['conversations', 'cut', 2],
      ['cuts', '12 0', 1],
      ['cuts', '14 9', 1],
    ],
  ],
  ['response did not begin in time', [['responses', 'silent', 1]]],
  ['update was not answered in time', [['updates', 'silent', 1]]],
  ['update did not end in time', [['updates', 'unended', 1]]],
  ['more events than', [['responses', 'flooded', 1]]],
  ['1 response was rejected', [['responses', 'rejected', 1]]],
  ['update was rejected', [['updates', 'rejected', 1]]],
  ['ended cancelled', [['responses', 'unfinished', 1]]],
  ['ended failed or incomplete', [['responses', 'failed', 1]]],
  [
    'session updates failed',
    [
      ['updates', 'acknowledged', 100],
      ['updates', 'failed', 2],
    ],
  ],
  ['no session update was completed', [['updates', 'done', 9]]],
  [
    'no response came whole',
    [
      ['responses', 'whole', -30],
      ['responses', 'other', 30],
    ],
  ],
  [
    'was refused as wrong requests',
    [...refused('request'), ['sessions', 'opened', 9], ['fared', 'primary taken', 9], ['fared', 'primary wrong', 1]],
  ],
])('%s: the target failed', (reason, changes) => {
  const { verdict, findings } = judged(changes)
  expect(verdict).toBe('fail')
  expect(findings.map(({ text }) => text).join()).toContain(reason)
})

test.each<[string, Changes]>([
  ['under requests_per_minute and concurrent_sessions?', [...refused('rate', 3), ...refused('concurrency')]],
  ['for our key, rate or quota', refused('final', 10)],
  ['none was taken', refused('request', 10)],
  [
    'none was taken in their workspace',
    [
      ...refused('request', 5),
      ['sessions', 'opened', 5],
      ['fared', 'primary taken', 5],
      ['fared', 'other_workspace wrong', 5],
    ],
  ],
  ['did not reach the target at all', refused('network', 10)],
  ['no load is allowed', [['conversations', 'unsafe', 1]]],
])('%s: the run is invalid', (reason, changes) => {
  const { verdict, findings } = judged(changes)
  expect(verdict).toBe('invalid')
  expect(findings.map(({ text }) => text).join()).toContain(reason)
})

test('what was cut off is told, but not held against the target, where the run is invalid', () => {
  const { verdict, findings } = judged([...refused('rate'), ['conversations', 'cut', 1]])
  expect(verdict).toBe('invalid')
  expect(findings.map(({ text }) => text).join()).toMatch(/rate or quota.*cut off/)
})

test.each<[lag: number, 'fail' | 'invalid']>([
  [120, 'fail'],
  [800, 'fail'],
  [1_500, 'invalid'],
])('a response that does not end within ten seconds, with a generator that was %i ms late: %s', (lag, verdict) => {
  expect(judged([['responses', 'unended', 1]], lag).verdict).toBe(verdict)
})

test('of few responses and updates that fail, of many, nothing is said', () => {
  const changes: Changes = [
    ['responses', 'whole', 170],
    ['responses', 'failed', 2],
    ['updates', 'acknowledged', 200],
    ['updates', 'done', 198],
    ['updates', 'completed', 197],
    ['updates', 'failed', 2],
  ]
  expect(judged(changes)).toEqual({ verdict: 'pass', findings: [] })
})

test('disorder is held against the target in any run', () => {
  expect(judged([...refused('rate'), ['flaws', 'after-done', 1]]).verdict).toBe('fail')
})

test('of a hundred conversations one may be refused for want of capacity, which platforms are short of at times', () => {
  const among = (opened: number): Changes => [...refused('capacity'), ['sessions', 'opened', opened]]
  expect(judged(among(99))).toEqual({ verdict: 'pass', findings: [] })
  expect(judged(among(90)).verdict).toBe('fail')
})

test('what a user had no retries left for says nothing, unless no conversation began at all', () => {
  const spent = (opened: number): Changes => [...refused('out-of-budget', 2), ['sessions', 'opened', opened]]
  const { verdict, findings } = judged(spent(90))
  expect(verdict).toBe('invalid')
  expect(findings.map(({ text }) => text)).toEqual([
    expect.stringContaining('since their users had spent their retries'),
  ])
  expect(judged(spent(300)).verdict).toBe('pass')
  expect(judged(spent(0)).verdict).toBe('fail')
})

test('where creates are refused with all their retries, that users then have none left makes no run invalid', () => {
  const { verdict, findings } = judged([
    ...refused('out-of-budget', 80),
    ...refused('server', 8),
    ['sessions', 'opened', 12],
  ])
  expect(verdict).toBe('fail')
  expect(findings.map(({ text }) => text)).toContain('88 conversations were refused')
})
