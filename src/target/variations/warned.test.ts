import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VARIATIONS } from './variations.ts'

const suites = new URL('../../../suites/', import.meta.url).pathname
const levels = new Map<string, string>(
  globSync('*/requirements.json', { cwd: suites }).flatMap((file) => {
    const { requirements } = JSON.parse(readFileSync(`${suites}${file}`, 'utf8')) as {
      requirements: Record<string, { level: string }>
    }
    return Object.entries(requirements).map(([id, { level }]) => [id, level] as const)
  }),
)

test('a legal alternative breaks no MUST: what may warn of it are SHOULD rows', () => {
  const warned = VARIATIONS.flatMap(({ id, warns = [] }) => warns.map((row) => [id, row, levels.get(row)] as const))
  expect(warned.filter(([, , level]) => level !== 'should')).toEqual([])
})
