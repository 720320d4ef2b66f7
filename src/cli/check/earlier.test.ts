import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Results } from '#judge/results'
import { handMadeResults, row } from '#testing/hand-made-results'
import { newFolder } from '#testing/new-folder'
import type { ReasonCode } from '#trace/entry'
import { runProgram } from '../program.ts'
import { fakeShell } from '../testing/fake-shell.ts'
import { baselineIn } from './earlier.ts'

const reasons: readonly ReasonCode[] = [
  'prerequisite',
  'quota',
  'passive',
  'model_choice',
  'network',
  'budget',
  'interrupted',
  'tier',
  'missing_key',
]
const rows = [
  row('voices.a.failed', 'fail'),
  row('voices.a.passed', 'pass'),
  ...reasons.map((reason_code) => row(`voices.a.${reason_code}`, 'inconclusive', { reason_code })),
]

function baselineOf(outcome: Results['run']['outcome']) {
  const file = join(newFolder(), 'results.json')
  const results = handMadeResults(rows)
  writeFileSync(file, JSON.stringify({ ...results, run: { ...results.run, outcome } }))
  return baselineIn(file)
}

test('a baseline excuses without a verdict only what an equal run leaves without one again', () => {
  expect(baselineOf('completed')).toEqual({
    failed: new Set(['voices.a.failed']),
    unjudged: new Set(['voices.a.prerequisite', 'voices.a.quota', 'voices.a.passive', 'voices.a.model_choice']),
  })
})

test.each(['interrupted', 'truncated', 'failed', 'unreachable'] as const)(
  'a run that was %s tells what failed in it, and of nothing that it may stay without a verdict',
  (outcome) => {
    expect(baselineOf(outcome)).toEqual({ failed: new Set(['voices.a.failed']), unjudged: new Set() })
  },
)

test.each([
  ['conformant', [row('voices.a.b', 'pass')], {}, 0, /so nothing is run\.\n$/],
  [
    'not judged',
    [row('voices.a.b', 'inconclusive', { reason_code: 'budget', reason: 'the time was over' })],
    { conformant: null },
    3,
    /so nothing is run\. It ended with: Could not be judged: .* the time was over\.\n$/,
  ],
] as const)(
  'to drive what failed in a run that was %s ends as that run did',
  async (_, rowsOfRun, more, exit, said) => {
    const file = join(newFolder(), 'results.json')
    writeFileSync(file, JSON.stringify(handMadeResults(rowsOfRun, more)))
    const shell = fakeShell()
    expect(await runProgram(['check', '--failed', file], shell)).toBe(exit)
    expect(shell.stderr()).toMatch(said)
  },
)
