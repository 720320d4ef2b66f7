import { expect, test } from 'vitest'
import type { ShapeError } from '#spec/shape-error'
import type { Json } from '#trace/json'
import type { Breach, Report } from './rule.ts'
import { judgeShape, type ShapeRows } from './shape-rule.ts'

const table: ShapeRows = {
  rows: { 'a.name.must': ['/name'], 'a.item.must': ['/items/*'], 'a.item.id.must': ['/items/*/id'] },
  otherwise: 'a.whole.must',
}

const error = (pointer: string, keyword: string, property?: string): ShapeError => ({
  pointer,
  ...(property === undefined ? {} : { property }),
  keyword,
  expected: 'something else',
  got: 'this',
  schema_path: '',
  message: '',
})

/** Which rows held, and which are broken with what was expected. */
function judged(value: Json, errors: readonly ShapeError[], rows = table): { held: string[]; broken: string[][] } {
  const held: string[] = []
  const broken: string[][] = []
  const report: Report = {
    held: (requirement) => void held.push(requirement),
    broken: (requirement, { expected }: Breach) => void broken.push([requirement, expected]),
    unobserved: () => {},
    saw: () => {},
  }
  judgeShape({ value, line: 1, scenario: undefined }, errors, rows, report)
  return { held, broken }
}

test('each row holds whose place is there, and no other', () => {
  expect(judged({ name: 'Ada', items: [] }, [])).toEqual({ held: ['a.name.must', 'a.whole.must'], broken: [] })
  expect(judged({ items: [{ id: 'one' }] }, []).held).toEqual(['a.item.must', 'a.item.id.must', 'a.whole.must'])
})

test('a fault breaks the row that speaks of its place most closely, and only that', () => {
  const value = { name: 'Ada', items: [{ id: 1 }] }
  expect(judged(value, [error('/items/0/id', 'type')])).toEqual({
    held: ['a.name.must', 'a.item.must', 'a.whole.must'],
    broken: [['a.item.id.must', '/items/0/id: something else']],
  })
  expect(judged(value, [error('/items/0', 'required', 'kind')]).broken).toEqual([
    ['a.item.must', '/items/0/kind: something else'],
  ])
})

test('a fault of the whole payload is told as one', () => {
  expect(judged('no object', [error('', 'type')])).toEqual({
    held: [],
    broken: [['a.whole.must', 'the payload: something else']],
  })
})

test('what a schema says of a place by one keyword is a row of its own, unless the text is empty', () => {
  const rows: ShapeRows = {
    rows: { 'a.id.must': ['/id'], 'a.id.form.must': ['/id#pattern'] },
    otherwise: 'a.whole.must',
  }
  expect(judged({ id: 'x y' }, [error('/id', 'pattern')], rows).broken).toEqual([
    ['a.id.form.must', '/id: something else'],
  ])
  expect(judged({ id: '' }, [error('/id', 'pattern')], rows).broken).toEqual([['a.id.must', '/id: something else']])
  expect(judged({ id: 1 }, [error('/id', 'type')], rows).broken).toEqual([['a.id.must', '/id: something else']])
})

test('a choice of the schema that was not met is told by what it lacks, not as a fault of its own', () => {
  const chosen = [error('/name', 'type'), error('', 'if')]
  expect(judged({ name: 1 }, chosen).broken).toEqual([['a.name.must', '/name: something else']])
})
