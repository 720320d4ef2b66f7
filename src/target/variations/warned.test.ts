import { expect, test } from 'vitest'
import { type Requirement, requirements } from '#spec/register'
import { VARIATIONS } from './variations.ts'

const rows: ReadonlyMap<string, Requirement> = requirements

test('a legal alternative breaks no MUST: what may warn of it are SHOULD rows', () => {
  const warned = VARIATIONS.flatMap(({ id, warns = [] }) =>
    warns.map((row) => [id, row, rows.get(row)?.level] as const),
  )
  expect(warned.filter(([, , level]) => level !== 'should')).toEqual([])
})
