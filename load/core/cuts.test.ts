import { expect, test } from 'vitest'
import { cutMoments, cutOff, howCut, wasRestarted } from './cuts.ts'
import { Tally } from './tally.ts'

const noon = Date.UTC(2026, 0, 1, 12)

function cutAt(moments: readonly number[], endedBy?: number): Tally<'cuts' | 'moves'> {
  const tally = new Tally<'cuts' | 'moves'>({ counts: { cuts: cutMoments(), moves: cutMoments() }, times: [] })
  for (const endedAt of moments) howCut(tally, { endedAt, endedBy })
  return tally
}

function judged(moments: readonly number[], begun = 20, endedBy?: number) {
  const tally = cutAt(moments, endedBy)
  const ends = new Map([
    ['cut', tally.total('cuts')],
    ['moved', tally.total('moves')],
    ['whole', begun - moments.length],
  ])
  const { trouble, invalid } = cutOff(tally, ends, { whole: 'whole', begun, what: 'conversations' })
  return { trouble: trouble.map(({ text }) => text), invalid: invalid.map(({ text }) => text) }
}

test.each<[string, readonly number[]]>([
  ['in one second', [noon, noon + 40, noon + 900]],
  ['in four seconds', [noon, noon + 2_500]],
  ['around the full hour', [noon - 100, noon + 100]],
  ['one alone', [noon]],
])('connections that are cut at one moment, %s, are held against nobody, and the run says nothing', (_, moments) => {
  const { trouble, invalid } = judged(moments)
  expect(trouble).toEqual([])
  expect(invalid).toEqual([expect.stringContaining(`${moments.length} of 20 conversations were cut off within`)])
})

test('of one connection in a hundred nothing is said, whenever they are cut', () => {
  expect(judged([noon], 200)).toEqual({ trouble: [], invalid: [] })
  const often = Array.from({ length: 10 }, (_, index) => noon + index * 60_000)
  expect(judged(often, 1_000)).toEqual({ trouble: [], invalid: [] })
  expect(judged(often, 900).trouble).toEqual(['10 conversations were cut off'])
})

test.each([1_001, 1_012])('what servers cut with %i because they go away is held against nobody', (code) => {
  const moments = [noon, noon + 20_000, noon + 40_000]
  expect(judged(moments, 300, code)).toEqual({ trouble: [], invalid: [] })
  const { trouble, invalid } = judged(moments, 20, code)
  expect(trouble).toEqual([])
  expect(invalid).toEqual([expect.stringContaining('3 of 20 conversations were cut off by servers that went away')])
  expect(judged(moments, 20, 1_011).trouble).toHaveLength(1)
})

test('several that are cut at one moment were cut by a restart, whatever they were told', () => {
  expect([1_012, 1_006].map((code) => wasRestarted(cutAt([noon, noon, noon + 1_000], code)))).toEqual([true, true])
  expect(wasRestarted(cutAt([noon, noon + 5_000, noon + 10_000], 1_012))).toBe(false)
})

test.each<[string, readonly number[]]>([
  ['twice', [noon, noon + 5_000]],
  ['again half an hour later', [noon, noon + 10, noon + 1_800_000]],
  ['all the time', Array.from({ length: 10 }, (_, index) => noon + index * 3_000)],
])('connections that are cut %s are held against the service', (_, moments) => {
  expect(judged(moments)).toEqual({ trouble: [`${moments.length} conversations were cut off`], invalid: [] })
})

test('where none came whole, what cut them all is the service', () => {
  const { trouble } = judged([noon, noon + 10], 2)
  expect(trouble).toEqual(['2 conversations were cut off'])
})
