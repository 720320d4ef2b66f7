import { expect, test } from 'vitest'
import { printable } from './printable.ts'

test('plain text stays as it is', () => {
  expect(printable('Grüße, 世界 👋 {"a":1}')).toBe('Grüße, 世界 👋 {"a":1}')
})

test('ANSI sequences, newlines and bell become visible text', () => {
  expect(printable('\u001b[31mred\n\u0007\u009b2J')).toBe('\\u{1b}[31mred\\n\\u{7}\\u{9b}2J')
})

test('bidi controls, zero-width marks and line separators become visible text', () => {
  expect(printable('a\u202eb\u200bc\u2028d')).toBe('a\\u{202e}b\\u{200b}c\\u{2028}d')
})

test('a lone surrogate becomes visible text', () => {
  expect(printable('a\ud800b')).toBe('a\\u{d800}b')
})

test('long text is cut, and says how much is missing', () => {
  expect(printable('x'.repeat(12), 10)).toBe(`${'x'.repeat(10)}… (2 more characters)`)
})

test('a cut never tears a character in two', () => {
  expect(printable('ab👋cd', 3)).toBe('ab… (4 more characters)')
})
