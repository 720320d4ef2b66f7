import { expect, test } from 'vitest'
import { mutants } from './schema-mutants.ts'

function changes(schema: object): string[] {
  return [...mutants(schema as Record<string, unknown>)].map((mutant) => mutant.change)
}

test('each keyword is taken away or moved by one step', () => {
  expect(changes({ type: 'integer', minimum: 4 })).toEqual([
    '# without type',
    '# minimum 3',
    '# minimum 5',
    '# type number',
  ])
  expect(changes({ enum: ['a', 'b'] })).toEqual(['# without enum', '# enum without "a"', '# enum without "b"'])
})

test('fields are demanded and unknown ones forbidden, to see that no more is asked than is said', () => {
  expect(changes({ type: 'object', required: ['a'], properties: { a: true, b: true } })).toEqual([
    '# without type',
    '# required without "a"',
    '# closed',
    '# b required',
  ])
})

test('a condition is taken away branch by branch, and from within', () => {
  const schema: object = JSON.parse(
    '{ "if": { "properties": { "a": { "const": 1 } } }, "then": { "required": ["b"] } }',
  )
  expect(changes(schema)).toEqual(['# without then', '#/if/properties/a without const', '#/then required without "b"'])
})

test('a mutant differs from its schema in one place and leaves it untouched', () => {
  const schema = { properties: { list: { items: { type: 'string' } } }, allOf: [{ required: ['list'] }] }
  const before = structuredClone(schema)
  const found = [...mutants(schema)].find((mutant) => mutant.change === '#/properties/list/items without type')
  expect(found?.schema).toEqual({ ...schema, properties: { list: { items: {} } } })
  expect(schema).toEqual(before)
})
