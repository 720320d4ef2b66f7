import { expect, test } from 'vitest'
import { tallyFor } from './common-measures.ts'
import { join, judgementOf } from './findings.ts'
import { workloads } from '../workloads.ts'
import { judgeGenerator, judgeRun, lagBoundsOf } from './judge-run.ts'

const words = { serverEvents: ['response.done'], errorCodes: ['10008', '30006'] }

interface Seen {
  readonly begun?: number
  readonly ended?: number
  readonly thrown?: number
  readonly dropped?: number
  readonly lag?: number
  readonly late?: number
  readonly limited?: number
  readonly lost?: number
  readonly done?: number
  readonly few?: boolean
  readonly unserved?: number
}

function judged({
  begun = 10,
  ended = begun,
  thrown = 0,
  dropped = 0,
  lag = 1,
  late = 1,
  limited = 0,
  lost = 0,
  done = 10,
  few = false,
  unserved = 0,
}: Seen) {
  const tally = tallyFor({ counts: {}, times: [] }, words)
  tally.count('iterations', 'begun', begun)
  tally.count('iterations', 'ended', ended)
  tally.count('iterations', 'thrown', thrown)
  tally.count('retries', 'unserved', unserved)
  tally.count('errors', 'create 429 10008', limited)
  tally.count('errors', 'create 0 network', lost)
  for (let index = 0; index < 100; index += 1) tally.time('handler_lag_ms').record(lag)
  for (let index = 0; index < 20; index += 1) tally.time('timer_lag_ms').record(index < 9 ? 1 : late)
  for (let index = 0; index < done; index += 1) tally.time('create_ms').record(5)
  const run = judgeRun(tally, { iterations: 10, dropped, few_sessions: few })
  return judgementOf(join([run, judgeGenerator([tally], lagBoundsOf(workloads.average, true))]))
}

test('a few requests that were never served say nothing: a restart may have been in their way', () => {
  expect(judged({ unserved: 4 }).verdict).toBe('pass')
})

test('ten of ten pass', () => {
  expect(judged({})).toEqual({ verdict: 'pass', findings: [] })
})

test.each<[string, Seen, 'fail' | 'invalid']>([
  ['found no free user', { begun: 9, dropped: 1 }, 'fail'],
  ['5 requests were answered by a 5xx each time', { unserved: 5 }, 'fail'],
  ['the keys allow no more sessions', { begun: 9, dropped: 1, few: true }, 'invalid'],
  ['only 5 of 10', { begun: 5, dropped: 5 }, 'invalid'],
  ['no iteration began', { begun: 0, done: 0 }, 'invalid'],
  ['9 of 10 iterations began', { begun: 9 }, 'invalid'],
  ['did not come to an end', { ended: 9 }, 'invalid'],
  ['a mistake of ours', { ended: 9, thrown: 1 }, 'invalid'],
  ['the generator was behind', { lag: 80 }, 'invalid'],
  ['the generator got too little time', { late: 40 }, 'invalid'],
  ['429 and nothing else', { limited: 10, done: 0 }, 'invalid'],
  ['no answer to any of 10 requests', { lost: 10, done: 0 }, 'invalid'],
])('%s: %j', (text, seen, verdict) => {
  const judgement = judged(seen)
  expect(judgement.verdict).toBe(verdict)
  expect(judgement.findings.map((finding) => finding.text).join()).toContain(text)
})

test('requests without an answer among others that had one are not called the way there', () => {
  expect(judged({ lost: 3 }).verdict).toBe('pass')
  expect(
    judged({ lost: 3, limited: 3, done: 0 })
      .findings.map(({ text }) => text)
      .join(),
  ).not.toContain('no answer')
})

test('some 429 among successes are no reason', () => {
  expect(judged({ limited: 3 }).verdict).toBe('pass')
})

test('a generator that several scenarios share is told once, as the one saw it that it served worst', () => {
  const tallies = [1, 70, 90].map((lag) => {
    const tally = tallyFor({ counts: {}, times: [] }, words)
    tally.time('handler_lag_ms').record(lag)
    return tally
  })
  const { invalid } = judgeGenerator(tallies, { p99_ms: 50, p50_ms: 5 })
  expect(invalid.map(({ text }) => text)).toEqual([expect.stringMatching(/events lay (?:89|9\d)\.\d ms/)])
})

test.each([
  ['of times', 120, 1, true, 'behind'],
  ['of no times', 120, 1, false, undefined],
  ['of no times', 300, 1, false, 'behind'],
  ['of no times', 60, 40, false, 'too little time'],
] as const)(
  'what is judged %s, by a generator that was %i ms late, and usually %i ms: %j, %s',
  (_, late, usual, timed, why) => {
    const tally = tallyFor({ counts: {}, times: [] }, words)
    for (let pulse = 0; pulse < 100; pulse += 1) tally.time('timer_lag_ms').record(pulse < 95 ? usual : late)
    const { invalid } = judgeGenerator([tally], lagBoundsOf(workloads.smoke, timed))
    expect(invalid.map(({ text }) => text)).toEqual(why === undefined ? [] : [expect.stringContaining(why)])
  },
)
