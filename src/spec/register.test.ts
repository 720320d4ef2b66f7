import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expandFamilies } from './families.ts'
import { packageRoot } from './package-root.ts'
import { choices, familyOf, isRequirementId, registerDigest, requirement, requirements } from './register.ts'
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
  const ids = files.flatMap((file) => expandFamilies(read(file).requirements).map(({ id }) => id))
  expect([...requirements.keys()].toSorted()).toEqual(ids.toSorted())
  expect(new Set(choices.keys())).toEqual(new Set(files.flatMap((file) => Object.keys(read(file).choices))))
})

test('a family stands for a row each, where it stands', () => {
  const row = { section: '2.8', level: 'must', standing: 'stated' }
  const table = {
    'voices.clone.accepted': { ...row, text: 'A clone is accepted.' },
    'voices.clone.*-accepted': { ...row, text: 'A clone in * is accepted.', each: { zh: 'Chinese', en: '$&' } },
    'voices.get.name': { ...row, text: 'It shows its name.' },
  }
  const family = {
    name: 'voices.clone.*-accepted',
    text: 'A clone in * is accepted.',
    ids: ['voices.clone.zh-accepted', 'voices.clone.en-accepted'],
  }
  expect(expandFamilies(table)).toEqual([
    { id: 'voices.clone.accepted', row: { ...row, text: 'A clone is accepted.' } },
    { id: 'voices.clone.zh-accepted', row: { ...row, text: 'A clone in Chinese is accepted.' }, family },
    { id: 'voices.clone.en-accepted', row: { ...row, text: 'A clone in $& is accepted.' }, family },
    { id: 'voices.get.name', row: { ...row, text: 'It shows its name.' } },
  ])
})

test.each(files)(
  '%s: what has a star has words for it, in its id and its text, and what has words has a star',
  (file) => {
    const rows = Object.entries(read(file).requirements)
    const stars = (text: string): number => text.split('*').length - 1
    const wrong = rows.filter(([id, { each, text }]) => {
      const wanted = each === undefined ? 0 : 1
      return stars(id) !== wanted || (each !== undefined && stars(text) !== 1)
    })
    expect(wrong.map(([id]) => id)).toEqual([])
  },
)

test('every id is one, and the name of a family fits its own rows only', () => {
  const ids = [...requirements.keys()]
  const { pattern } = JSON.parse(readFileSync(join(packageRoot(), 'schemas/meta/requirement-id.json'), 'utf8')) as {
    pattern: string
  }
  expect(ids.filter((id) => !new RegExp(pattern).test(id))).toEqual([])
  const families = new Set(ids.flatMap((id) => familyOf(id)?.name ?? []))
  expect(families).toContain('voices.clone.language-*-accepted')
  const stray = [...families].flatMap((family) => {
    const [before = '', after = ''] = family.split('*')
    return ids.filter((id) => id.startsWith(before) && id.endsWith(after) && familyOf(id)?.name !== family)
  })
  expect(stray).toEqual([])
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
