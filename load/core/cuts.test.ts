import { expect, test } from 'vitest'
import { cutMoments, cutOff, momentOf } from './cuts.ts'
import { Tally } from './tally.ts'

const noon = Date.UTC(2026, 0, 1, 12)

function judged(moments: readonly number[], begun = 20) {
  const tally = new Tally<'cuts'>({ counts: { cuts: cutMoments() }, times: [] })
  for (const at of moments) tally.count('cuts', momentOf(at))
  const ends = new Map([
    ['cut', moments.length],
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

test('of one connection in hundreds nothing need be said', () => {
  expect(judged([noon], 200)).toEqual({ trouble: [], invalid: [] })
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
