import { expect, test } from 'vitest'
import type { RequirementResult } from '#judge/results'
import { causesOf, leftAlike } from './causes.ts'

function row(id: string, got: string, line: number, verdict: 'fail' | 'warn' = 'fail'): RequirementResult {
  const failure = { expected: 'a success', got, evidence: [1, line] }
  const level = verdict === 'fail' ? 'must' : 'should'
  const common = { section: '4.1', observations: 1, reason: got, evidence: [1, line], scenarios: [] }
  return { id, level, verdict, failures: [failure], ...common }
}

const shown = (rows: readonly RequirementResult[]) =>
  causesOf(rows).map(({ first, more }) => [first.id, ...more.map(({ id }) => id)].join(' '))

test('what showed first comes first, and failures before warnings', () => {
  expect(shown([row('b', 'x', 20), row('c', 'y', 5, 'warn'), row('a', 'z', 30)])).toEqual(['b', 'a', 'c'])
})

test('what one answer broke stands under its first row', () => {
  expect(shown([row('a', 'x', 20), row('b', 'y', 20), row('c', 'z', 21)])).toEqual(['a b', 'c'])
})

test('the same words in three rows are one mistake, whatever the numbers and values in them', () => {
  const rows = [
    row('a', 'no envelope in 12 ms', 30),
    row('b', 'no envelope in 7 ms', 40),
    row('c', 'no envelope in 9 ms', 50),
  ]
  expect(shown(rows)).toEqual(['a b c'])
  expect(shown(rows.slice(1))).toEqual(['b', 'c'])
})

test('another code is another mistake', () => {
  const codes = ['30004', '30006', '20004'].map((code, place) => row(code, `code ${code}`, 10 + place))
  expect(shown(codes)).toEqual(['30004', '30006', '20004'])
})

test('what is left for the same reason stands together', () => {
  const left = ['s-1', 's-2', 's-3'].map((id) => ({ resource: 'avatar-session', id, reason: 'refused with 30004' }))
  const other = { resource: 'character', id: 'chr_1', reason: 'refused with 30004' }
  expect(leftAlike([...left, other]).map((all) => all.length)).toEqual([3, 1])
})
