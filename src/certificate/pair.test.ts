import { expect, test } from 'vitest'
import type { Results, Verdict } from '#judge/results'
import { handMadeResults, row } from '#testing/hand-made-results'
import { agree } from './agreement.ts'
import { whyNoPair } from './pair.ts'

const id = 'voices.get.public'

function run(name: string, seed: number, verdict: Verdict): Results {
  const results = handMadeResults([row(id, verdict)])
  return { ...results, run: { ...results.run, id: name, seed, date: `2026-11-21T1${seed}:00:00Z` } }
}

const pairOf = (one: Verdict, other: Verdict): readonly [Results, Results] => [run('one', 1, one), run('two', 2, other)]

test('the same verdict twice agrees', () => {
  expect(whyNoPair(...pairOf('warn', 'warn'))).toBeUndefined()
})

test('a row that only one run could judge has that verdict', () => {
  for (const pair of [pairOf('pass', 'inconclusive'), pairOf('inconclusive', 'pass')]) {
    expect(whyNoPair(...pair)).toBeUndefined()
    expect(agree(...pair).rows.map(({ verdict }) => verdict)).toEqual(['pass'])
  }
})

test('two verdicts on one row contradict each other', () => {
  expect(whyNoPair(...pairOf('pass', 'warn'))).toBe(`the runs disagree about ${id}: pass, then warn`)
})

test('one run twice, or two with one seed, are no pair', () => {
  const why = 'both runs are the same one, or have the same seed'
  expect(whyNoPair(run('one', 1, 'pass'), run('one', 2, 'pass'))).toBe(why)
  expect(whyNoPair(run('one', 1, 'pass'), run('two', 1, 'pass'))).toBe(why)
})

test('two runs at one time are no pair, two that touch are', () => {
  const [one, other] = pairOf('pass', 'pass')
  const at = (date: string): Results => ({ ...other, run: { ...other.run, date } })
  const why = 'both runs went on at one time, and a second one begins when the first one is over'
  expect(one.run).toMatchObject({ date: '2026-11-21T11:00:00Z', duration_ms: 12_345 })
  expect(whyNoPair(one, at('2026-11-21T11:00:02Z'))).toBe(why)
  expect(whyNoPair(one, at('2026-11-21T11:00:12Z'))).toBeUndefined()
})
