import { expect, test } from 'vitest'
import { register } from '#judge/register'
import type { RequirementResult } from '#judge/results'
import { brokenSentences, requirementsOf, unexpected, withPlaces } from './requirements.ts'

const id = 'control-channel.text-delta.concatenate-to-final-text'

/** What the sampled conversations said of the row. */
const sampled = (verdict: 'pass' | 'fail'): RequirementResult => ({
  id,
  section: '6.2',
  level: 'must',
  verdict,
  observations: 2,
  reason: '',
  ...(verdict === 'fail' ? { failures: [{ expected: 'the final text', got: 'half of it', evidence: [7] }] } : {}),
  evidence: verdict === 'fail' ? [7] : [],
  scenarios: [],
})

const lost = { text: '3 times text-lost', requirement: id }
const twice = { text: 'once text-repeated', requirement: id }

const rowsOf = (verdict: 'pass' | 'fail', findings: { text: string; requirement: string }[]) =>
  requirementsOf({ requirements: [sampled(verdict)], unscored: [] }, findings, register(), () => 'u1')

test('a requirement that was broken by count and in a sample stands once, with what both saw', () => {
  expect(rowsOf('fail', [lost, twice])).toEqual([
    expect.objectContaining({
      id,
      verdict: 'fail',
      reason: '3 times text-lost; once text-repeated; expected the final text, got half of it',
      evidence: [{ conversation: 'u1', line: 7 }],
    }),
  ])
})

test('what was counted as broken is broken, also where the samples bear it out', () => {
  expect(rowsOf('pass', [lost])).toEqual([expect.objectContaining({ verdict: 'fail', reason: '3 times text-lost' })])
})

test('a reason tells of it once: what was counted, and where it can be seen', () => {
  const rows = rowsOf('fail', [lost])
  expect(withPlaces([lost], rows)).toEqual([
    { ...lost, text: '3 times text-lost (as in conversation u1, samples.ndjson:7)' },
  ])
  expect(brokenSentences(rows, [lost])).toEqual([])
  expect(brokenSentences(rowsOf('fail', []), [])).toEqual([
    `${id} is broken: expected the final text, got half of it (conversation u1, samples.ndjson:7)`,
  ])
})

test('what breaks two requirements in the same words is told with one place, where samples show one of them', () => {
  const unseen = { ...lost, requirement: 'control-channel.text-delta.item-id' }
  const text = '3 times text-lost (as in conversation u1, samples.ndjson:7)'
  for (const found of [
    [unseen, lost],
    [lost, unseen],
  ])
    expect(withPlaces([...found, twice], rowsOf('fail', found)).map((one) => one.text)).toEqual([
      text,
      text,
      'once text-repeated (as in conversation u1, samples.ndjson:7)',
    ])
})

test('what breaks two requirements in the same words is told with one place, where samples show each at another', () => {
  const second = 'control-channel.text-delta.item-id'
  const also: RequirementResult = { ...sampled('fail'), id: second, evidence: [9] }
  const both = [lost, { ...lost, requirement: second }]
  const rows = requirementsOf({ requirements: [sampled('fail'), also], unscored: [] }, both, register(), () => 'u1')
  expect(new Set(withPlaces(both, rows).map(({ text }) => text)).size).toBe(1)
})

test('what the profile expects to fail is told, and does not count', () => {
  const other = { text: '2 responses were rejected' }
  const found = { broken: [lost], trouble: [twice, other], invalid: [] }
  const waived = new Set([id])
  expect(unexpected(found, waived)).toEqual({ broken: [], trouble: [other], invalid: [] })
  expect(unexpected(found, new Set())).toEqual(found)
  const rows = requirementsOf({ requirements: [], unscored: [] }, [lost], register(), () => 'u1', waived)
  expect(rows).toEqual([expect.objectContaining({ id, verdict: 'warn', reason: '3 times text-lost' })])
})
