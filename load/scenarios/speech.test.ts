import { expect, test } from 'vitest'
import { speechText } from './speech.ts'

test.each([10, 60, 600, 1_501])('a speech has exactly %d characters and no space at its end', (characters) => {
  const text = speechText('Speech 1', characters)
  expect(text).toHaveLength(characters)
  expect(text).toMatch(/^\S(.*\S)?$/)
})

test('speeches with different titles differ', () => {
  expect(speechText('Speech 1', 100)).not.toBe(speechText('Speech 2', 100))
})
