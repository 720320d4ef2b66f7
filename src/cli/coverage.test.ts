import { expect, test } from 'vitest'
import { requirements } from '#spec/register'
import { sentences } from '#spec/sentences'
import { coverage, coverageColumns, coverageSums, sentenceSums } from './coverage.ts'
import { fakeShell } from './testing/fake-shell.ts'
import { runProgram } from './program.ts'

test('every requirement is listed once, in the order of the sections, with what proves it', async () => {
  const all = await coverage(undefined)
  expect(all.map(({ id }) => id).toSorted()).toEqual([...requirements.keys()].toSorted())
  expect([...new Set(all.map(({ section }) => section))].indexOf('2.9')).toBeLessThan(
    [...new Set(all.map(({ section }) => section))].indexOf('2.10'),
  )
  const region = all.find(({ id }) => id === 'avatar-sessions.session.region-echoed')
  expect(region).toMatchObject({ section: '2.1', level: 'must' })
  expect(region?.defects).toContain('avatar-sessions.session.region-echoed')
  expect((region?.scenarios.length ?? 0) + (region?.rules.length ?? 0)).toBeGreaterThan(0)
})

test('what nothing proves is shown as such and counted', () => {
  const row = { id: 'a.b.c', section: '9', level: 'must', standing: 'stated', scenarios: [], rules: [], defects: [] }
  expect(coverageColumns(row, row.id).at(-1)).toBe('–')
  const sums = coverageSums([row, { ...row, standing: 'untestable' }, { ...row, defects: ['a.b.c'] }])
  expect(sums.at(-1)).toEqual(['all', '3', '3', '0', '0', '1', '1'])
})

test('list --coverage ends with the sums', async () => {
  const shell = fakeShell({})
  expect(await runProgram(['list', '--coverage', '--part', 'limits'], shell)).toBe(0)
  const rows = [...requirements.keys()].filter((id) => id.startsWith('limits.'))
  const [sums, blank, last] = shell.stdout().trimEnd().split('\n').slice(-3)
  expect(sums).toMatch(new RegExp(String.raw`^all +${rows.length} `))
  expect(blank).toBe('')
  expect(last).toMatch(/^sentences that bind a target: \d+, \d+ with rows \(\d+ with testable ones\), 0 without$/)
})

test('the sentences that bind a target are counted, of a part those that it holds', async () => {
  const binding = sentences.filter(({ binds }) => binds === 'target')
  const all = await coverage(undefined)
  expect(sentenceSums(all, undefined)).toContain(`${binding.length}, ${binding.length} with rows (`)
  expect(sentenceSums([], undefined)).toContain('(0 with testable ones)')
  const held = binding.filter(({ rows = [] }) => rows.some((id) => id.startsWith('voices.')))
  expect(sentenceSums(all, 'voices')).toMatch(new RegExp(`^sentences that bind a target: ${held.length},`))
})
