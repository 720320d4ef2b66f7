import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from './package-root.ts'

test('the root of the package holds schemas and suites', () => {
  expect(packageRoot()).toBe(resolve(import.meta.dirname, '../..'))
  expect(existsSync(join(packageRoot(), 'schemas/operations.json'))).toBe(true)
})
