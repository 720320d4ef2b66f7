import { expect, test } from 'vitest'
import { draw } from './draw.ts'
import { text } from './text.ts'

const texts = draw(text(40), 1, 400)

test('texts have at least one character and no more than they may', () => {
  for (const one of texts) expect(Array.from(one).length).toBeGreaterThan(0)
  for (const one of texts) expect(Array.from(one).length).toBeLessThanOrEqual(40)
})

test('scripts of every kind come', () => {
  const all = texts.join('')
  for (const kind of ['Script=Han', 'Script=Arabic', 'Script=Hebrew', 'Script=Greek', 'Emoji_Presentation']) {
    expect(all).toMatch(new RegExp(`\\p{${kind}}`, 'u'))
  }
  expect(all).toMatch(/[<&"]/)
  expect(all).toMatch(/[\u{10000}-\u{10ffff}]/u)
})

test('no service has a reason to change them', () => {
  for (const one of texts) {
    expect(one).toBe(one.normalize('NFC').trim())
    expect(one.isWellFormed()).toBe(true)
    expect(one).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
  }
})
