import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '#trace/json'
import { literal, quoted, spelled, template } from './literal.ts'

/** What source gives, by way of JSON: objects of another context are of other classes. */
const given = (source: string): unknown => JSON.parse(runInNewContext(`JSON.stringify(${source})`) as string)

/** Texts of which the written source could mean something else. */
const nasty = fc
  .array(
    fc.constantFrom(
      '"',
      "'",
      '`',
      '\\',
      '$',
      '{',
      '}',
      '${',
      '`${',
      '\n',
      '\r',
      '\u2028',
      '\u2029',
      '\u202e',
      '\ud800',
      'u0041',
    ),
  )
  .map((parts) => parts.join(''))
const text = fc.oneof(nasty, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), repeated())

function repeated(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.integer({ min: 90, max: 400 }))
    .map(([one, times]) => one.repeat(times))
}

test('a written text gives the text, on one line that shows all of it', () => {
  fc.assert(
    fc.property(text, (one) => {
      for (const source of [quoted(one), spelled(one)]) {
        expect(given(source)).toBe(one)
        expect(source).not.toMatch(/[\n\r\p{Cf}\p{Zl}\p{Zp}]/u)
      }
    }),
  )
})

test('a template gives the text with what stands for its parts', () => {
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      fc.pre(
        part !== '' &&
          !before.includes(part) &&
          !after.includes(part) &&
          !`${before}${part}`.slice(0, -1).includes(part),
      )
      const source = template(`${before}${part}${after}`, [{ part, is: `[7, '\`'].join('')` }])
      expect(given(`\`${source}\``)).toBe(`${before}${part}${after}`.split(part).join('7`'))
    }),
  )
})

test('a written value gives the value, whatever its members are called', () => {
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.constantFrom(null, true),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'class', '7')), tie('tree')), {
          maxLength: 4,
        })
        .map((members) => Object.fromEntries(members)),
    ),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      expect(JSON.stringify(given(literal(value, quoted)))).toBe(JSON.stringify(value))
    }),
  )
})
