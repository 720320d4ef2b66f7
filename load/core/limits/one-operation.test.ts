import { expect, test } from 'vitest'
import { judgeOneOperation } from './one-operation.ts'
import type { RateRequest } from './rate-log.ts'

const terms = { limit: 1_000, minuteMs: 60_000 }

/** One request a second: each word is an operation and the code of its answer. */
function logOf(words: readonly string[]): RateRequest[] {
  return words.map((word, index) => {
    const [operation = '', code = '0'] = word.split(' ')
    const moments = { sentAt: index * 1_000, answeredAt: index * 1_000 + 5, ms: 5 }
    const status = code === '0' ? 200 : 429
    return {
      key: 'primary',
      operation,
      answer: { data: {}, status, code, retryAfter: '1', date: undefined, ...moments },
    }
  })
}

const times = (count: number, words: readonly string[]): string[] => Array.from({ length: count }, () => words).flat()

test.each([
  ['closes that are refused each first time', times(6, ['create', 'close 10008', 'close']), true],
  ['fewer of them', times(5, ['create', 'close 10008', 'close']), false],
  ['closes that are never carried out', times(2, ['get', ...times(10, ['close 10008']), 'get']), true],
  ['a key that somebody else exhausts for a while', ['get', ...times(30, ['close 10008']), 'close', 'get'], false],
  ['other requests that are refused as well', [...times(8, ['create', 'close 10008', 'close']), 'get 10008'], false],
])('%s', (_, words, isBroken) => {
  expect(judgeOneOperation(logOf(words), terms).map(({ law }) => law)).toEqual(isBroken ? ['rate-refused-early'] : [])
})

test('what is refused at the limit says nothing', () => {
  const log = logOf(times(6, ['create', 'close 10008', 'close']))
  expect(judgeOneOperation(log, { ...terms, limit: 10 })).toEqual([])
})
