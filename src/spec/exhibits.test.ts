import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate as validateByHyperjump,
  type SchemaObject,
} from '@hyperjump/json-schema/draft-2020-12'
import '@hyperjump/json-schema/formats'
import { globSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exhibitFolder, exhibits } from './exhibits.ts'
import { schemaFiles, schemaId, type ShapeName } from './schemas.ts'
import { validate } from './validators.ts'

/** Shapes of what we write ourselves from types; the tests of those who write them hold them to it. */
const written = new Set<ShapeName>(['meta/load', 'meta/load-part', 'meta/replay', 'meta/results', 'meta/trace'])

beforeAll(() => {
  setShouldValidateFormat(true)
  for (const schema of schemaFiles().values()) registerSchema(structuredClone(schema) as SchemaObject)
})

afterAll(() => {
  for (const shape of schemaFiles().keys()) unregisterSchema(schemaId(shape))
})

test('each shape has an exhibit and each exhibit a shape', () => {
  const files = globSync('**/*.json', { cwd: exhibitFolder() }).map((file) => file.slice(0, -'.json'.length))
  const shapes = [...schemaFiles().keys()].filter((shape) => !written.has(shape))
  expect(files.toSorted()).toEqual(shapes)
})

describe.each([...exhibits()])('%s', (shape, exhibit) => {
  test('is called after its shape and shows at least two valid and one invalid instance', () => {
    expect(validate('meta/exhibit', exhibit)).toEqual([])
    expect(exhibit.schema).toBe(shape)
    expect(exhibit.tests.filter(({ valid }) => valid).length).toBeGreaterThanOrEqual(2)
    expect(exhibit.tests.some(({ valid }) => !valid)).toBe(true)
    expect(new Set(exhibit.tests.map(({ description }) => description)).size).toBe(exhibit.tests.length)
  })

  test('ajv judges each exhibit as it says', () => {
    const wrong = exhibit.tests.filter(({ data, valid }) => (validate(shape, data).length === 0) !== valid)
    expect(wrong.map(({ description, valid }) => ({ description, valid }))).toEqual([])
  })

  test('an independent validator agrees', async () => {
    const check = await validateByHyperjump(schemaId(shape))
    const wrong = exhibit.tests.filter(({ data, valid }) => check(data as never).valid !== valid)
    expect(wrong.map(({ description, valid }) => ({ description, valid }))).toEqual([])
  })
})
