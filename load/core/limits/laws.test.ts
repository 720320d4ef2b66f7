import { expect, test } from 'vitest'
import { requirementRows } from '#testing/limiter/requirement-rows'
import { laws } from './laws.ts'

test.each(Object.entries(laws))('%s stands on binding rows of the register', (_, { requirements }) => {
  for (const id of requirements) {
    const row = requirementRows().get(id)
    expect(row).toMatchObject({ level: 'must' })
    expect(row?.standing).not.toBe('untestable')
  }
})
