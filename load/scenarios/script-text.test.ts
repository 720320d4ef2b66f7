import { expect, test } from 'vitest'
import { scriptText } from './script-text.ts'

test.each([10, 60, 600, 1_501])('a script has exactly %d characters and no space at its end', (characters) => {
  const text = scriptText('Script 1', characters)
  expect(text).toHaveLength(characters)
  expect(text).toMatch(/^\S(.*\S)?$/)
})

test('scripts with different titles differ', () => {
  expect(scriptText('Script 1', 100)).not.toBe(scriptText('Script 2', 100))
})
