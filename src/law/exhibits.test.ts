import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate as validateByHyperjump,
  type SchemaObject,
} from '@hyperjump/json-schema/draft-2020-12'
import '@hyperjump/json-schema/formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exhibits } from './exhibits.ts'
import { schemaFiles, schemaId } from './schemas.ts'
import { validate } from './validators.ts'

beforeAll(() => {
  setShouldValidateFormat(true)
  for (const schema of schemaFiles().values()) registerSchema(structuredClone(schema) as SchemaObject)
})

afterAll(() => {
  for (const shape of schemaFiles().keys()) unregisterSchema(schemaId(shape))
})

describe.each([...exhibits()])('%s', (shape, exhibit) => {
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
