import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { profileReference } from './profile-reference.ts'

test('docs/profile.md is what the schema of profiles says; npx greenroom spec profile prints it', () => {
  expect(readFileSync(join(packageRoot(), 'docs/profile.md'), 'utf8')).toBe(profileReference())
})

test('every field of the schema is explained', () => {
  const rows = profileReference()
    .split('\n')
    .filter((line) => line.startsWith('| `') || line.startsWith('| **'))
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter((row) => row.endsWith('|  |'))).toEqual([])
})
