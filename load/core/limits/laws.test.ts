import { expect, test } from 'vitest'
import { globSync, readFileSync } from 'node:fs'
import { laws } from './laws.ts'

interface Register {
  readonly requirements: { readonly [id: string]: { readonly level: string; readonly standing: string } }
}

const rows = new Map(
  globSync('suites/*/requirements.json').flatMap((file) =>
    Object.entries((JSON.parse(readFileSync(file, 'utf8')) as Register).requirements),
  ),
)

test.each(Object.entries(laws))('%s stands on binding rows of the register', (_, { requirements }) => {
  const standing = requirements.map((id: string) => ({
    id,
    level: rows.get(id)?.level,
    standing: rows.get(id)?.standing,
  }))
  for (const row of standing) {
    expect(row).toMatchObject({ level: 'must' })
    expect(row.standing).not.toBe('untestable')
  }
})
