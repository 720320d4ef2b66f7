import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ownFile, packageRoot } from './package-root.ts'

test('the root of the package holds schemas and suites', () => {
  expect(packageRoot()).toBe(resolve(import.meta.dirname, '../..'))
  expect(existsSync(join(packageRoot(), 'schemas/operations.json'))).toBe(true)
})

test('one of our own files is found beside another, with the ending that ours have there', () => {
  expect(ownFile('./worker', 'file:///checkout/src/pool.ts').href).toBe('file:///checkout/src/worker.ts')
  expect(ownFile('../run/child', 'file:///dist/src/cli/pool.js').href).toBe('file:///dist/src/run/child.js')
})
