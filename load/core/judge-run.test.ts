import { expect, test } from 'vitest'
import { tallyFor } from './common-measures.ts'
import { join, judgementOf } from './findings.ts'
import { judgeGenerator, judgeRun } from './judge-run.ts'

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
  return judgementOf(join([run, judgeGenerator([tally], 50)]))
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
  const { invalid } = judgeGenerator(tallies, 50)
  expect(invalid.map(({ text }) => text)).toEqual([expect.stringMatching(/events lay (?:89|9\d)\.\d ms/)])
})
