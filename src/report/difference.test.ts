import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Verdict, verdicts } from '#judge/results'
import { familyNamed } from '#spec/register'
import { handMadeResults, row } from '#testing/hand-made-results'
import { difference } from './difference.ts'
import { differenceSentence, differenceText } from './difference-text.ts'

const results = (rows: { readonly [id: string]: Verdict }) =>
  handMadeResults(Object.entries(rows).map(([id, verdict]) => row(id, verdict)))

const cases: readonly (readonly [Verdict, Verdict, 'new_failures' | 'fixed' | 'weaker' | 'other'])[] = [
  ['pass', 'fail', 'new_failures'],
  ['inconclusive', 'fail', 'new_failures'],
  ['waived', 'fail', 'new_failures'],
  ['fail', 'pass', 'fixed'],
  ['fail', 'warn', 'fixed'],
  ['fail', 'inconclusive', 'weaker'],
  ['fail', 'waived', 'weaker'],
  ['pass', 'warn', 'weaker'],
  ['pass', 'inconclusive', 'weaker'],
  ['pass', 'not_applicable', 'weaker'],
  ['warn', 'pass', 'other'],
  ['inconclusive', 'pass', 'other'],
]

test.for(cases)('%s and then %s is listed under %s', ([before, after, list]) => {
  const found = difference(results({ 'voices.a.b': before }), results({ 'voices.a.b': after }))
  expect(found[list]).toMatchObject([{ id: 'voices.a.b', before, after }])
})

test('a row that is new and fails is a new failure; one that is gone is told', () => {
  const found = difference(results({ 'voices.gone.a': 'pass' }), results({ 'voices.new.a': 'fail' }))
  expect(found.new_failures).toMatchObject([{ id: 'voices.new.a', before: 'absent' }])
  expect(found.weaker).toMatchObject([{ id: 'voices.gone.a', after: 'absent' }])
})

test('every row whose verdict is another one is in exactly one list, and no other row is', () => {
  const rows = fc.dictionary(fc.constantFrom('a.a.a', 'a.a.b', 'b.a.a', 'b.b.b', 'c.a.a'), fc.constantFrom(...verdicts))
  fc.assert(
    fc.property(rows, rows, (before, after) => {
      const { new_failures, fixed, weaker, other } = difference(results(before), results(after))
      const listed = [...new_failures, ...fixed, ...weaker, ...other].map(({ id }) => id).toSorted()
      const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      expect(listed).toEqual(ids.filter((id) => before[id] !== after[id]).toSorted())
      const failing = (all: typeof before) => ids.filter((id) => all[id] === 'fail')
      expect(new Set(new_failures.map(({ id }) => id))).toEqual(
        new Set(failing(after)).difference(new Set(failing(before))),
      )
    }),
  )
})

test('an empty text that was seen is shown as such', () => {
  const seen = (what: string) =>
    handMadeResults([], { choices: [{ id: 'errors.region', section: '7', observed: [what], evidence: [] }] })
  expect(differenceText(difference(seen(''), seen('eu')))).toContain('errors.region: (empty) -> eu')
})

test('a choice that only one run saw has not changed', () => {
  const seen = (observed: readonly string[]) =>
    handMadeResults([], { choices: [{ id: 'errors.status', section: '7', observed, evidence: [] }] })
  expect(difference(seen(['404']), seen(['400'])).choices).toEqual([
    { id: 'errors.status', before: ['404'], after: ['400'] },
  ])
  expect(difference(seen([]), seen(['400'])).choices).toEqual([])
  expect(difference(seen(['404', '400']), seen(['400', '404'])).choices).toEqual([])
})

test('the text names each list that has rows, and what a target says stays on its line', () => {
  const after = handMadeResults([row('voices.a.b', 'fail', { reason: 'two\nlines \u001B[31m' })])
  const found = difference(results({ 'voices.a.b': 'pass' }), after)
  const text = differenceText(found)
  expect(text).toContain('New failures (1)\n  voices.a.b [must]: pass -> fail: two')
  expect(text).not.toContain('Fixed')
  expect(text).not.toContain('\u001B')
  expect(differenceSentence(found)).toBe('1 new failure (0 fixed, 0 weaker).')
})

test('what a narrowed run does not have is counted, and only what failed before is listed', () => {
  const before = results({
    'voices.a.a': 'pass',
    'voices.a.b': 'inconclusive',
    'voices.a.c': 'fail',
    'voices.a.d': 'pass',
  })
  const found = difference(before, results({ 'voices.a.d': 'pass' }))
  const text = differenceText(found)
  expect(text).toContain('Weaker verdicts (1)\n  voices.a.c [must]: fail -> absent')
  expect(text).toContain('Only in the first run, which did not fail them: 2; --json has them')
  expect(text).not.toContain('voices.a.a')
  expect(differenceSentence(found)).toBe('No new failures (0 fixed, 1 weaker, 2 only in the first run).')
})

test('rows of a family that changed alike are one line', () => {
  const ids = familyNamed('voices.clone.language-*-accepted')?.ids ?? []
  const all = (verdict: Verdict) => results(Object.fromEntries(ids.map((id) => [id, verdict])))
  const text = differenceText(difference(all('pass'), all('fail')))
  expect(text).toMatch(/^New failures \(16\)\n {2}voices\.clone\.language-\*-accepted \(16\) \[must\]: pass -> fail: /m)
})
