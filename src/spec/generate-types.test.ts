import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateTypes, typesFile } from './generate-types.ts'
import { packageRoot } from './package-root.ts'
import { schemaForTypes } from './schema-for-types.ts'
import { schemaFiles } from './schemas.ts'

test('the committed types are what the schemas say', async () => {
  expect(await generateTypes()).toBe(readFileSync(join(packageRoot(), typesFile), 'utf8'))
})

test('each shape has one type', () => {
  const source = readFileSync(join(packageRoot(), typesFile), 'utf8')
  for (const { title } of schemaFiles().values()) {
    expect(source.match(new RegExp(`^export (interface|type) ${title}\\b`, 'gm')), title).toHaveLength(1)
  }
  expect(source).not.toMatch(/^export (interface|type) [A-Za-z]+\d/m)
})

test('a description beside a reference is left to the reference', () => {
  expect(schemaForTypes({ $ref: 'x.json', description: 'y' })).toEqual({ $ref: 'x.json' })
})

test('conditions are left out, and objects without fields are open', () => {
  const rule: object = JSON.parse('{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }')
  expect(schemaForTypes({ type: 'object', properties: { a: { type: 'object' } }, ...rule })).toEqual({
    type: 'object',
    properties: { a: { type: 'object', additionalProperties: true } },
  })
})

test('alternatives that only demand fields are no types', () => {
  const properties = { a: { type: 'string' } }
  expect(schemaForTypes({ type: 'object', properties, anyOf: [{ required: ['a'] }] })).toEqual({
    type: 'object',
    properties,
  })
})
