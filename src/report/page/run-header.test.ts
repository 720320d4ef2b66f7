import { expect, test } from 'vitest'
import { handMadeResults, row } from '#testing/hand-made-results'
import { runHeader } from './run-header.ts'

const failed = (place: number) => {
  const failure = { expected: `a ${'abcdefgh'[place]}`, got: 'another', evidence: [place], scenario: 'one' }
  return row(`voices.a.n${place}`, 'fail', { failures: [failure], evidence: [place] })
}
const shownOf = (count: number, known: readonly string[] = []): string =>
  runHeader({
    results: handMadeResults(Array.from({ length: count }, (_, place) => failed(place + 1))),
    baseline: { failed: new Set(known), unjudged: new Set() },
    trace: undefined,
    text: (id) => `The sentence of ${id}.`,
  }).markup

test('the first screen names what broke first, with its sentence, and how much more there is', () => {
  expect(shownOf(1)).toContain('<a class="mono" href="#voices.a.n1">voices.a.n1</a><br>The sentence of voices.a.n1.')
  expect(shownOf(1)).not.toContain('more cause')
  const many = shownOf(5)
  expect(many.match(/The sentence of/g)).toHaveLength(3)
  expect(many).toContain('<a href="#broken">2 more causes</a>')
  expect(shownOf(0)).not.toContain('class="why"')
})

test('what the baseline knows is not named there', () => {
  const shown = shownOf(2, ['voices.a.n1'])
  expect(shown).not.toContain('voices.a.n1')
  expect(shown).toContain('The sentence of voices.a.n2.')
})

test('what a gate left out stands beside the number of what was not judged', () => {
  const left = (nth: number) =>
    row(`voices.a.n${nth}`, 'inconclusive', { reason_code: 'tier', reason: 'left out by --within 60s' })
  const results = handMadeResults([left(1), left(2), row('voices.a.n3', 'pass')])
  expect(runHeader({ results, trace: undefined, text: () => undefined }).markup).toContain('2 left out by --within')
  expect(shownOf(1)).not.toContain('left out by')
})
