import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { deviations } from '#target/deviations'

/** What stands there where nothing is left open: no survivors, nothing reported. */
const headings = ['## Validations', '## What a gate finds', '## Kill matrix', '## Correct targets']

/** The committed proof is what `npx greenroom prove` wrote last; whoever adds a defect or a variation runs it again. */
describe('reports/proof.md', () => {
  const lines = new Set(readFileSync(join(packageRoot(), 'reports', 'proof.md'), 'utf8').split('\n'))
  const { defects, variations } = deviations()
  const verdicts = new Map(
    [...lines]
      .map((line) => /^\| (\S+) \| (\w+) \|/.exec(line))
      .map((found) => [found?.[1] ?? '', found?.[2] ?? ''] as const),
  )

  test('shows every defect killed', () => {
    const alive = defects.filter(({ id }) => !['fail', 'warn'].includes(verdicts.get(id) ?? ''))
    expect(alive.map(({ id }) => id)).toEqual([])
  })

  test('shows every variation, and the target without any, as conformant', () => {
    const ids = ['reference', ...variations.map(({ id }) => id)]
    expect(ids.filter((id) => !lines.has(`- ${id}: conformant`))).toEqual([])
  })

  test('leaves nothing open', () => {
    expect([...lines].filter((line) => line.startsWith('## '))).toEqual(headings)
  })
})
