import { expect, test } from 'vitest'
import type { Results } from '#judge/results'
import { handMadeResults, row } from '#testing/hand-made-results'
import { conclude } from './conclusion.ts'

const run = (outcome: Results['run']['outcome']): Results['run'] => ({ ...handMadeResults([]).run, outcome })
const failed = row('voices.a.b', 'fail')
const harness_errors = [{ message: 'm', evidence: [1] }]

const cases: readonly (readonly [string, Results, number])[] = [
  ['all passed', handMadeResults([row('voices.a.b', 'pass')]), 0],
  ['a fail', handMadeResults([failed]), 1],
  ['a fail that the summary forgot', handMadeResults([failed], { conformant: true }), 1],
  ['not conformant for another reason', handMadeResults([], { conformant: false }), 1],
  ['blocked', handMadeResults([row('voices.a.b', 'inconclusive')], { conformant: null }), 3],
  ['a fail beside blocked rows', handMadeResults([failed], { conformant: null }), 1],
  ['unreachable, whatever failed', handMadeResults([failed], { run: run('unreachable') }), 3],
  ['truncated', handMadeResults([], { run: run('truncated'), conformant: null }), 3],
  ['a harness error beside a fail', handMadeResults([failed], { harness_errors }), 4],
  ['a failed run', handMadeResults([failed], { run: run('failed') }), 4],
  ['interrupted, before all else', handMadeResults([failed], { run: run('interrupted'), harness_errors }), 130],
]

test.for(cases)('%s', ([, results, exit]) => {
  expect(conclude(results).exit).toBe(exit)
})

test('with requireAll a row that only lacks a key counts as not judged', () => {
  const results = handMadeResults([row('voices.a.b', 'inconclusive', { reason_code: 'missing_key' })])
  expect(conclude(results).exit).toBe(0)
  expect(conclude(results, { requireAll: true })).toMatchObject({
    exit: 3,
    sentence: expect.stringContaining('missing_key 1'),
  })
})

test('with requireAll a row that no client can cause does not count', () => {
  const results = handMadeResults([row('voices.a.b', 'inconclusive', { reason_code: 'passive' })])
  expect(conclude(results, { requireAll: true }).exit).toBe(0)
})

test('a row that was asked for by its own id and is of another tier was not judged', () => {
  const rows = [row('voices.a.b', 'inconclusive', { reason_code: 'tier' }), row('voices.a.c', 'pass')]
  const narrowed = (...only: readonly string[]) =>
    conclude(handMadeResults(rows, { conformant: null, run: { ...run('completed'), only } }))
  expect(narrowed('voices.a.b', 'voices.a.c')).toEqual({
    exit: 3,
    sentence: 'Could not be judged: 1 MUST requirement has no verdict (tier 1), for one reason: inconclusive.',
  })
})

const baseline = (id: string, ...unjudged: readonly string[]) => ({
  baseline: { failed: new Set([id]), unjudged: new Set(unjudged) },
})

test('what failed in the baseline may fail again, and nothing else', () => {
  const results = handMadeResults([failed, row('voices.a.c', 'pass')])
  expect(conclude(results, baseline('voices.a.b'))).toEqual({
    exit: 0,
    sentence: 'No new failures: 1 requirement failed, all as in the baseline.',
  })
  expect(conclude(results, baseline('voices.a.c'))).toEqual({
    exit: 1,
    sentence: 'Not conformant: 1 requirement failed, and did not in the baseline.',
  })
  const two = handMadeResults([failed, row('voices.a.d', 'fail')])
  expect(conclude(two, baseline('voices.a.b')).sentence).toContain('2 requirements failed, 1 of them not in the')
  const stale = { ...results, waivers: { stale: ['voices.a.c'], expired: [], unknown: [] } }
  expect(conclude(stale, baseline('voices.a.b')).exit).toBe(1)
})

test('what failed in the baseline hides no row that could not be judged', () => {
  const blocked = row('voices.a.c', 'inconclusive', { reason_code: 'network' })
  const results = handMadeResults([failed, blocked], { conformant: false })
  expect(conclude(results, baseline('voices.a.b')).exit).toBe(3)
})

test('what had no verdict in the baseline may stay so while something known is broken, and says so', () => {
  const open = (reason_code: 'prerequisite' | 'network') => row('voices.a.c', 'inconclusive', { reason_code })
  const of = (...rows: readonly ReturnType<typeof row>[]) =>
    handMadeResults([...rows, row('voices.a.d', 'pass')], { conformant: rows.includes(failed) ? false : null })
  expect(conclude(of(failed, open('prerequisite')), baseline('voices.a.b', 'voices.a.c'))).toEqual({
    exit: 0,
    sentence:
      'No new failures: 1 requirement failed, all as in the baseline; 1 MUST requirement has no verdict, as then.',
  })
  expect(conclude(of(failed, open('network')), baseline('voices.a.b', 'voices.a.c')).exit).toBe(3)
  expect(conclude(of(open('prerequisite')), baseline('voices.a.b', 'voices.a.c')).exit).toBe(3)
})

test('what had no verdict in the baseline may stay so where the workspace is full, while something known is broken', () => {
  const open = row('voices.a.c', 'inconclusive', { reason_code: 'quota' })
  const results = handMadeResults([failed, open, row('voices.a.d', 'pass')], { conformant: false })
  expect(conclude(results, baseline('voices.a.b', 'voices.a.c')).exit).toBe(0)
  expect(conclude(results, baseline('voices.a.b')).exit).toBe(3)
})

test('what had no verdict in the baseline may stay so while something is waived', () => {
  const waived = row('voices.a.b', 'waived')
  const open = row('voices.a.c', 'inconclusive', { reason_code: 'prerequisite' })
  const results = handMadeResults([waived, open, row('voices.a.d', 'pass')], { conformant: null })
  expect(conclude(results, baseline('voices.a.b', 'voices.a.c'))).toEqual({
    exit: 0,
    sentence: 'No new failures: 1 waived; 1 MUST requirement has no verdict, as then.',
  })
  expect(conclude(results, baseline('voices.a.b')).exit).toBe(3)
  expect(conclude(results).exit).toBe(3)
  const nothing = handMadeResults([waived, open], { conformant: null })
  expect(conclude(nothing, baseline('voices.a.b', 'voices.a.c')).exit).toBe(3)
})

test('where nothing passed, a failure that is known excuses nothing that has no verdict', () => {
  const open = row('voices.a.c', 'inconclusive', { reason_code: 'prerequisite' })
  const results = handMadeResults([failed, open], { conformant: false })
  expect(conclude(results, baseline('voices.a.b', 'voices.a.c'))).toEqual({
    exit: 3,
    sentence: 'Could not be judged: 1 MUST requirement has no verdict (prerequisite 1), for one reason: inconclusive.',
  })
  expect(conclude(handMadeResults([failed]), baseline('voices.a.b')).exit).toBe(0)
})

test('where one thing stood in the way of most, the sentence names it', () => {
  const reason = 'create was refused with 10004: workspace billing is not active'
  const blocked = (count: number, why: string) =>
    Array.from({ length: count }, (_, nth) =>
      row(`voices.a.${why.length}-${nth}`, 'inconclusive', { reason_code: 'prerequisite', reason: why }),
    )
  const said = (...rows: readonly ReturnType<typeof row>[]) =>
    conclude(handMadeResults(rows, { conformant: null })).sentence
  expect(said(...blocked(12, reason), ...blocked(3, 'another'))).toBe(
    `Could not be judged: 15 MUST requirements have no verdict (prerequisite 15), most of them for one reason: ${reason}.`,
  )
  expect(said(...blocked(7, reason), ...blocked(9, 'another'), ...blocked(8, 'a third'))).not.toContain('most of them')
})

test('what was left out on purpose is told beside what it came to', () => {
  const out = (option: string) =>
    row('voices.a.out', 'inconclusive', { reason: `left out by ${option}`, reason_code: 'tier' })
  const passed = row('voices.a.b', 'pass')
  expect(conclude(handMadeResults([passed, out('--skip voices')])).sentence).toBe(
    'Conformant: 1 requirement passed, none failed, 1 not judged (1 of them left out by --skip).',
  )
  expect(conclude(handMadeResults([failed, out('--max-failures 1')])).sentence).toBe(
    'Not conformant: 1 requirement failed; 1 not judged, left out by --max-failures.',
  )
})
