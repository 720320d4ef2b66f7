import { expect, test } from 'vitest'
import { isRequirementId, requirement } from '#spec/register'
import { laws } from './laws.ts'

test.each(Object.entries(laws))('%s stands on binding rows of the register', (_, { requirements }) => {
  for (const id of requirements) {
    expect(isRequirementId(id) && requirement(id)).toMatchObject({ level: 'must' })
    expect(isRequirementId(id) && requirement(id).standing).not.toBe('untestable')
  }
})
