import { expect, test } from 'vitest'
import { exhibits } from './exhibits.ts'
import { mutants } from './schema-mutants.ts'
import { schemaFiles, schemaId, type ShapeName } from './schemas.ts'
import type { Exhibit } from './types/shapes.d.ts'
import { createAjv } from './validators.ts'

const ajv = createAjv()

for (const [shape, exhibit] of exhibits()) {
  test(`each keyword of ${shape} is noticed by an exhibit`, () => {
    const schema = schemaFiles().get(shape) ?? {}
    const survivors = [...mutants(schema)].filter((mutant) => !isNoticed(shape, mutant.schema, exhibit))
    expect(survivors.map((mutant) => mutant.change)).toEqual([])
  })
}

/** Compiles the mutant in place of its shape; what it refers to stays compiled. */
function isNoticed(shape: ShapeName, schema: object, exhibit: Exhibit): boolean {
  const $id = `${schemaId(shape)}-mutant`
  const check = ajv.compile({ ...schema, $id })
  ajv.removeSchema($id)
  return exhibit.tests.some(({ data, valid }) => check(data) !== valid)
}
