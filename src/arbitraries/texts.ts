import * as fc from 'fast-check'
import { lazily } from './lazily.ts'

/** Texts in which services go wrong: two forms of one letter, joined emoji, both directions, blanks that are trimmed. */
const delicate = [
  'Zoë, Zoe\u0308',
  '👩‍👩‍👧‍👦 🇨🇭 ✊🏽',
  'שלום, עולם',
  '\u202Eright to left\u202C',
  '  spaces at both ends  ',
  'one\ntwo\r\nthree\tfour',
  'no\u00A0break, zero\u200Bwidth, \uFEFFmark',
  '"quotes" \\backslash\\ <b>&amp;</b> ${x} %s {{y}}',
  '數學 𝒳 \u{1F9EE} \u{10FFFD}',
  'null',
  '0',
] as const

const surrogates = { from: 0xd800, count: 0x800 }

/**
 * Any character: what fast-check calls the unit `binary`, with the same values for the same seed. That one keeps a table of
 * a million characters, which takes each process a second to fill.
 */
const unit = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map((place) => String.fromCodePoint(place < surrogates.from ? place : place + surrogates.count))

/** A character beside NUL, which some stores cannot hold, and halves of surrogate pairs, which are no characters. */
const anyCharacter = lazily(() => fc.string({ unit, minLength: 1, maxLength: 1 })).filter((one) => one !== '\u0000')

/** Nonempty text of every kind that JSON can hold. Texts of blanks only are left out: they may count as empty. */
export function texts(maxLength = 80): fc.Arbitrary<string> {
  const some = [
    fc.constantFrom(...delicate),
    lazily(() => fc.string({ unit: 'grapheme', minLength: 1, maxLength })),
    fc.array(anyCharacter, { minLength: 1, maxLength }).map((characters) => characters.join('')),
  ]
  return fc.oneof(...some).filter((text) => text.trim() !== '')
}
