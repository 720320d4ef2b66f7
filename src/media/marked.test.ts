import { expect, test } from 'vitest'
import { marked } from './marked.ts'
import { medium } from './media.ts'

test('a mark changes the lower bytes of the last samples of a WAV file, and nothing else', () => {
  const plain = medium('speech.wav')
  const one = marked(plain, 'abc')
  const changed = [...plain.entries()].flatMap(([place, byte]) => (byte === one[place] ? [] : [plain.length - place]))
  expect(changed).toEqual([6, 4, 2])
  expect(one.length).toBe(plain.length)
  expect(marked(plain, 'abd')).not.toEqual(one)
})

test('what is no WAV file of 16 bits stays as it is', () => {
  const other = medium('speech.mp3')
  expect(marked(other, 'abc')).toBe(other)
})
