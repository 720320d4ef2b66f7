import { expect, test } from 'vitest'
import { familyNamed } from '#spec/register'
import { byFamily, byWholeFamily, fewNames } from './by-family.ts'

const family = familyNamed('voices.clone.language-*-accepted')
if (family === undefined) throw new Error('The languages are no family')
const [zh = '', en = '', fr = ''] = family.ids
const rowsOf = (...ids: readonly string[]) => ids.map((id) => ({ id, verdict: 'pass' }))
const namesOf = (lines: readonly { readonly name: string }[]) => lines.map(({ name }) => name)

test('a family is one line where its first row stands, with what its rows say', () => {
  const [first, languages, last] = byFamily(rowsOf('voices.get.name', ...family.ids, 'voices.get.id'))
  expect([first?.name, languages?.name, last?.name]).toEqual([
    'voices.get.name',
    'voices.clone.language-*-accepted (16)',
    'voices.get.id',
  ])
  expect(languages?.text).toBe('A clone with the language `*` is not refused for it.')
  expect(languages?.rows.map(({ id }) => id)).toEqual(family.ids)
})

test('rows of a family that are not alike stand by themselves', () => {
  const rows = [...rowsOf(zh, en), { id: fr, verdict: 'fail' }]
  expect(namesOf(byFamily(rows, ({ verdict }) => verdict))).toEqual([zh, en, fr])
  expect(namesOf(byFamily(rows))).toEqual(['voices.clone.language-*-accepted (3 of 16)'])
})

test('where only whole families are one line, some rows of one stand by themselves', () => {
  expect(namesOf(byWholeFamily(rowsOf(zh, en), () => ''))).toEqual([zh, en])
  expect(namesOf(byWholeFamily(rowsOf(...family.ids), () => ''))).toHaveLength(1)
})

test('a row without a family, and one of a family by itself, go by their ids', () => {
  expect(namesOf(byFamily(rowsOf(zh, 'voices.get.name')))).toEqual([zh, 'voices.get.name'])
})

test('a few names stand for many rows', () => {
  const all = rowsOf('a.b.c', ...family.ids, 'd.e.f', 'g.h.i', 'j.k.l')
  expect(fewNames(all, (name) => name)).toBe('a.b.c, voices.clone.language-*-accepted (16), d.e.f and 2 more')
  expect(fewNames(rowsOf('a.b.c'), (name) => `<${name}>`)).toBe('<a.b.c>')
})
