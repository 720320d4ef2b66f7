import { expect, test } from 'vitest'
import { handMadeResults, row } from '#testing/hand-made-results'
import { unjudgedByRemedy } from './remedies.ts'

test('what found no place for its session is judged where the profile tells the cap', () => {
  const rows = ['create was refused with 30006', 'Retry-After asks for 90 s'].map((reason, at) =>
    row(`voices.a.b${at}`, 'inconclusive', { reason_code: 'quota', reason }),
  )
  const lines = unjudgedByRemedy(handMadeResults(rows)).map(({ remedy }) => remedy.line)
  expect(lines).toEqual(['"primary": { "concurrent_sessions": 1 }', undefined])
})

test.each([
  ['left out by --only', 'Run it without --only, or name what shows it.'],
  ['left out by --within 180s', 'Run it without --within, or with more to spend.'],
  ['left out by --budget 60', 'Run it without --budget, or with more to spend.'],
])('a row that is %s is judged without that option', (reason, says) => {
  const results = handMadeResults([row('voices.a.b', 'inconclusive', { reason_code: 'tier', reason })])
  expect(unjudgedByRemedy(results)[0]?.remedy.says).toBe(says)
})
