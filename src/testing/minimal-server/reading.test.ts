import { expect, test } from 'vitest'
import { Fault, integer, list, nonempty, shape, variant } from './reading.ts'

const read = shape({ id: nonempty }, { age: integer(1, 9) })

test('a shape returns the value itself, unknown fields included', () => {
  const value = { id: 'a', age: 3, extra: true }
  expect(read(value, 'it')).toBe(value)
})

test.each([
  [{}, 'it.id'],
  [{ id: '' }, 'it.id'],
  [{ id: 'a', age: '3' }, 'it.age'],
  [{ id: 'a', age: 10 }, 'it.age'],
  [{ id: 'a', age: null }, 'it.age'],
  [[], 'it'],
  [null, 'it'],
  [JSON.parse('{"__proto__":{"id":"a"}}'), 'it.id'],
])('%j is a fault at %s', (value, param) => {
  expect(() => read(value, 'it')).toThrow(expect.objectContaining({ param }))
  expect(() => read(value, 'it')).toThrow(Fault)
})

test('a fault in a list names the position', () => {
  expect(() => list(read, 1)([{ id: 'a' }, {}], 'all')).toThrow('all[1].id is required')
  expect(() => list(read, 1)([], 'all')).toThrow('must not be empty')
})

test('a variant is chosen by its type, and no inherited name is one', () => {
  const either = variant({ cat: read })
  expect(either({ type: 'cat', id: 'tom' }, 'it')).toEqual({ type: 'cat', id: 'tom' })
  expect(() => either({ type: 'toString' }, 'it')).toThrow('it.type must be one of cat')
})
