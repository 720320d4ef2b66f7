import * as fc from 'fast-check'

/**
 * Signs of many kinds that a text may hold: none that a service may take for no text (control characters, halves of
 * pairs), and none that a display would reorder.
 */
const alphabets: readonly (readonly string[])[] = [
  Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
  Array.from(`<>&"'\\/{}[]()%$#@!?*+-_=~^|;:,.\``),
  Array.from('àéîõüçñßøåœłžşğÆÐÞ'),
  Array.from('αβγδλωжшчяєїґ'),
  Array.from('中文字符日本語かなカナ한국어'),
  Array.from('שלוםمرحبافارسیاردو'),
  Array.from('हिन्दीதமிழ்ไทยភាសា'),
  Array.from('𝒜𝔘𐍈𠮷🀄'),
  ['😀', '👩‍🚀', '👨‍👩‍👧‍👦', '🇩🇪', '👍🏽', '❤️', '🏳️‍🌈'],
]

/** One sign, of a kind that is drawn first: each kind as often as any other. */
const sign = fc.oneof(...alphabets.map((signs) => fc.constantFrom(...signs)))

/**
 * Texts of every script, with a space here and there but not at their ends, in the composed form (NFC), which no service
 * has a reason to change.
 *
 * @param most characters (code points), at least as many as one sign may have
 */
export function text(most: number): fc.Arbitrary<string> {
  const word = fc.array(sign, { minLength: 1, maxLength: 8 }).map((signs) => signs.join(''))
  const words = fc.array(word, { minLength: 1, maxLength: Math.max(1, Math.ceil(most / 6)), size: 'max' })
  return words.map((all) => withinOf(all.join(' ').normalize('NFC'), most))
}

/** Cut between two signs, so that what is left is a text still. */
function withinOf(long: string, most: number): string {
  const signs = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(long)].map(({ segment }) => segment)
  let kept = ''
  for (const one of signs) {
    if (Array.from(kept + one).length > most) break
    kept += one
  }
  return kept.trimEnd()
}
