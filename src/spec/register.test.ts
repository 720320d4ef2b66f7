import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from './package-root.ts'
import { choices, isRequirementId, registerDigest, requirement, requirements } from './register.ts'
import type { RequirementsFile } from './types/shapes.d.ts'
import { validate } from './validators.ts'

const files = globSync('suites/*/requirements.json', { cwd: packageRoot() })

function read(file: string): RequirementsFile {
  return JSON.parse(readFileSync(join(packageRoot(), file), 'utf8')) as RequirementsFile
}

test.each(files)('%s is a register file, and its ids belong to its part', (file) => {
  const { requirements: rows, choices: open } = read(file)
  expect(validate('meta/requirements', read(file))).toEqual([])
  const part = file.split('/')[1]
  expect([...Object.keys(rows), ...Object.keys(open)].filter((id) => id.split('.')[0] !== part)).toEqual([])
})

test('the register holds every row of every file', () => {
  expect(new Set(requirements.keys())).toEqual(new Set(files.flatMap((file) => Object.keys(read(file).requirements))))
  expect(new Set(choices.keys())).toEqual(new Set(files.flatMap((file) => Object.keys(read(file).choices))))
})

test('no id names both a requirement and a choice', () => {
  expect([...choices.keys()].filter((id) => isRequirementId(id))).toEqual([])
})

test('a row carries its id', () => {
  expect(requirement('limits.api-key-rate.retry-after')).toMatchObject({
    id: 'limits.api-key-rate.retry-after',
    section: '8',
    level: 'must',
  })
  expect(isRequirementId('limits.api-key-rate.nonsense')).toBe(false)
})

test('the digest follows the promises and nothing else', () => {
  const rows = [...requirements.values()]
  const [first, ...others] = rows
  if (first === undefined) throw new Error('The register is empty')
  expect(registerDigest()).toMatch(/^[0-9a-f]{64}$/)
  expect(registerDigest(rows.toReversed())).toBe(registerDigest())
  expect(registerDigest([{ ...first, passive: true }, ...others])).toBe(registerDigest())
  for (const change of [{ text: 'Other.' }, { section: '9' }, { level: 'may' as const }]) {
    expect(registerDigest([{ ...first, ...change }, ...others])).not.toBe(registerDigest())
  }
})
