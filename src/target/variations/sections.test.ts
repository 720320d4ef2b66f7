import { expect, test } from 'vitest'
import { sentences } from '#spec/sentences'
import type { Variation } from '../deviation.ts'
import { together } from './together.ts'
import { VARIATIONS } from './variations.ts'

test('every variation names a section of the spec that says something', () => {
  const headings = new Set(sentences.map(({ section }) => section))
  expect(VARIATIONS.filter(({ section }) => !headings.has(section)).map(({ id }) => id)).toEqual([])
})

test('the section stands beside the text, not in it', () => {
  const cites = /\bsection \d|\((?:Conventions|\d\.\d+)[):,]/u
  expect(VARIATIONS.filter(({ text }) => cites.test(text)).map(({ id }) => id)).toEqual([])
})

test('what warns of a variation warns of those that act together with it', () => {
  const one = (id: string, warns: readonly string[]): Variation => ({
    id,
    section: '1',
    text: id,
    warns,
    override() {},
  })
  const both = { id: 'both', section: '1', text: 'Both.', ids: ['one', 'other'] }
  const all = [one('one', ['a', 'b']), one('other', ['b', 'c']), one('third', ['d'])]
  expect(together(all, both).warns).toEqual(['a', 'b', 'c'])
  expect(() => together(all, { ...both, ids: ['none'] })).toThrow('no variation none')
})
