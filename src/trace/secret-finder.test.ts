import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecretFinder, shortest, unsearched } from './secret-finder.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })

test('it replaces what a search from left to right, longest first, would', () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 6 }), fc.array(letters, { maxLength: 8 }), (secrets, parts) => {
      const finder = createSecretFinder()
      for (const secret of secrets) finder.add(secret, `<${secret.length}>`)
      const text = parts.join('')
      expect(finder.replace(text)).toBe(naive(text, secrets))
    }),
    { numRuns: 2_000 },
  )
})

test('a text that is too dear to search is not shown at all', () => {
  const finder = createSecretFinder(10_000)
  for (let length = 200; length > 100; length -= 1) finder.add(`${'a'.repeat(length)}b`, '-')
  const out = finder.replace(`start ${'a'.repeat(5_000)}`)
  expect(out.length).toBeLessThan(1_000)
  expect(out.endsWith(unsearched)).toBe(true)
  expect(finder.replace('aaaaaa and more')).toBe(unsearched)
  expect(finder.replace('nothing of the kind')).toBe('nothing of the kind')
})

function naive(text: string, secrets: readonly string[]): string {
  const long = secrets
    .filter((secret) => secret.length >= shortest)
    .toSorted((left, right) => right.length - left.length)
  let out = ''
  for (let place = 0; place < text.length; ) {
    const found = long.find((secret) => text.startsWith(secret, place))
    out += found === undefined ? text[place] : `<${found.length}>`
    place += found === undefined ? 1 : found.length
  }
  return out
}
