import { expect, test } from 'vitest'
import { handMadeResults, row } from '#testing/hand-made-results'
import { annotations } from './annotations.ts'

test('each new failure is one workflow command, and nothing that a target says starts another', () => {
  const failures = [{ expected: '0', got: '1\n::error::forged', evidence: [3] }]
  const results = handMadeResults([row('voices.a.b', 'fail', { failures }), row('voices.a.c', 'fail')])
  const lines = annotations(results, new Set(['voices.a.c']), () => 'Voices are 100 % there.').split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(
    /^::error title=voices\.a\.b::Voices are 100 %25 there\. \(section [^)]+\): expected 0, got 1/,
  )
  expect(lines[1]).toBe('')
})
