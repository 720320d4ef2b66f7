import type { Context } from '../../src/scenario/context.ts'

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

export type Language = (typeof languages)[number]

/** A real language that is not among them. */
export const unlisted = 'nl'
/** A listed code with a region: none of the codes either. */
export const withRegion = 'zh-CN'

/** A name of so many characters that no other voice has. */
export function nameOf(context: Context, word: string, length: number, filler = 'x'): string {
  const id = context.id(word)
  return `${id}${filler.repeat(Math.max(0, length - id.length))}`.slice(0, length)
}
