import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from './package-root.ts'
import { choices, requirements } from './register.ts'
import { sentences } from './sentences.ts'
import type { SentenceRow } from './types/shapes.d.ts'
import { validate } from './validators.ts'

/** Headings of the spec that have sentences of their own, in its order. */
const headings = [
  ['Conventions', '1'],
  under('2', 13),
  under('3', 6),
  ['4', ...under('4', 5)],
  ['5', '6', ...under('6', 3)],
  ['7', '8', '9'],
].flat()

function under(chapter: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => `${chapter}.${place + 1}`)
}

test('the sentences have their shape', () => {
  const file = readFileSync(join(packageRoot(), 'suites/sentences.json'), 'utf8')
  expect(validate('meta/sentences', JSON.parse(file))).toEqual([])
})

test('every section of the spec occurs, in its order', () => {
  const sections = sentences.map(({ section }) => section)
  expect(sections.filter((section, place) => section !== sections[place - 1])).toEqual(headings)
})

test('no section says the same twice', () => {
  const said = sentences.map(({ section, says }) => `${section}: ${says}`)
  expect(said.filter((one, place) => said.indexOf(one) !== place)).toEqual([])
})

test('all ids exist', () => {
  expect(named('rows').filter(({ id }) => !has(requirements, id))).toEqual([])
  expect(named('choices').filter(({ id }) => !has(choices, id))).toEqual([])
})

test('what binds the target has rows', () => {
  const binding = sentences.filter(({ binds }) => binds === 'target')
  expect(binding.filter(({ rows = [] }) => rows.length === 0)).toEqual([])
})

test('every requirement that can be tested is named by a sentence that binds the target', () => {
  const bound = new Set(sentences.filter(({ binds }) => binds === 'target').flatMap(({ rows = [] }) => rows))
  const testable = [...requirements.values()].filter(({ standing }) => standing !== 'untestable')
  expect(testable.map(({ id }) => id).filter((id) => !bound.has(id))).toEqual([])
})

test('every requirement and every choice is named by a sentence of its section', () => {
  expect(homeless(requirements, named('rows'))).toEqual([])
  expect(homeless(choices, named('choices'))).toEqual([])
})

interface Named {
  readonly id: string
  readonly section: string
}

function named(kind: 'rows' | 'choices'): readonly Named[] {
  return sentences.flatMap((sentence: SentenceRow) => (sentence[kind] ?? []).map((id) => ({ id, ...sentence })))
}

function homeless(
  table: ReadonlyMap<string, { readonly section: string }>,
  homes: readonly Named[],
): readonly string[] {
  const known = new Set(homes.map(({ id, section }) => `${id} ${section}`))
  return [...table].filter(([id, { section }]) => !known.has(`${id} ${section}`)).map(([id]) => id)
}

function has(table: ReadonlyMap<string, unknown>, id: string): boolean {
  return table.has(id)
}
