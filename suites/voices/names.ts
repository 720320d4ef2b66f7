import type { Context } from '#scenario/author/context'
import type { Json } from '#trace/json'

/** Characters that a name may have at most (section 8). */
export const longestName = 128

/** 2.8: the codes of a language. */
export const languages = [
  'zh',
  'en',
  'fr',
  'de',
  'ja',
  'ko',
  'ru',
  'pt',
  'th',
  'id',
  'vi',
  'it',
  'es',
  'ms',
  'fil',
  'ar',
] as const

/** The only one of three letters. */
export const longestLanguage = 'fil' satisfies (typeof languages)[number]

/** Listed languages of clones that are refused for another reason: whoever lacks one refuses them for that. */
export const besides = { unknownFile: 'ms', foreignFile: 'ar', failing: 'id' } as const satisfies Record<
  string,
  (typeof languages)[number]
>

export function isListed(code: Json): boolean {
  return languages.some((language) => language === code)
}

/** A real language that is not among them. */
export const unlisted = 'nl'
/** A listed code with a region: none of the codes either. */
export const withRegion = 'zh-CN'
/** Neither. */
export const inCapitals = 'EN'

/** In capitals and small letters, with two blanks in a row, and signs that a page or a query would have to escape. */
const ordinary = "Ada &  Lin's "

/** A name of so many characters that no other voice has. */
export function nameOf(context: Context, word: string, length: number, filler = ordinary): string {
  return `${context.id(word)} ${filler.repeat(length)}`.slice(0, length - 1).concat('.')
}

/** What the scenarios of a run think of ends so: the id of the run, and a number. */
const thoughtOf = /-[a-z2-9]{10}-\d+/

/** Whether some run of Greenroom has thought of a name. */
export function isThoughtOf(name: Json | undefined): boolean {
  return typeof name === 'string' && thoughtOf.test(name)
}
