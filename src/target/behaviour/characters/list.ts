import type { Character } from '#target/characters/character'
import type { JsonObject } from '#target/wire'

/** A part of the list; `after` is the place where the next one begins, `undefined` at the end. */
export interface Page {
  characters: Character[]
  after: number | undefined
}

/** Section 8: "Default 50, maximum 200". */
interface Sizes {
  defaultSize: number
  maximumSize: number
}

/** Digits that make a made-up token improbable. */
const checkOf = (place: number): string => (Math.imul(place + 1, 0x9e3779b1) >>> 0).toString(36)

/** Marks a place in the list: the number of the last character shown. Opaque to clients. */
const token = (place: number): string => Buffer.from(`${place}.${checkOf(place)}`).toString('base64url')

/** The place that a token marks; `undefined` when no token of this service reads so. */
function placeOf(given: string): number | undefined {
  const [digits] = Buffer.from(given, 'base64url').toString().split('.')
  const read = Number(digits)
  return Number.isSafeInteger(read) && token(read) === given ? read : undefined
}

/** 4.2 GET `/v1/characters`. */
export const characterList = () => ({
  /** "`page_size` (integer, default 50, max 200)" */
  defaultSize: 50,
  maximumSize: 200,
  /** How many are asked for; `undefined` refuses. More than the maximum is lowered to it. */
  size: (given: string | null, sizes: Sizes): number | undefined => {
    if (given === null) return sizes.defaultSize
    return /^[1-9]\d*$/u.test(given) ? Math.min(Number(given), sizes.maximumSize) : undefined
  },
  token,
  placeOf,
  /** Whether this value asks for the first page; `next_page_token` is "empty when no more pages". */
  isFirst: (given: string | null): boolean => given === null || given === '',
  /** "undeleted only" */
  lists: ({ deleted }: Character): boolean => !deleted,
  /** "newest first" */
  order: (one: Character, other: Character): number => other.serial - one.serial,
  /** What comes after the place that a token marks: writes in between move nothing. */
  following: (sorted: Character[], place: number): Character[] => sorted.filter(({ serial }) => serial < place),
  /** Cuts a page off what follows. */
  cut: (following: Character[], size: number, _start: number | undefined): Page => {
    const characters = following.slice(0, size)
    return { characters, after: following.length > size ? characters.at(-1)?.serial : undefined }
  },
  answer: (items: JsonObject[], next: string): unknown => ({ items, next_page_token: next }),
})
