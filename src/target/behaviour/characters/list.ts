import type { Character } from '../../characters/character.ts'
import type { Wire } from '../../wire.ts'

/** A part of the list; `after` is where the next one begins, `undefined` at the end. */
export interface Page {
  characters: Character[]
  after: number | undefined
}

/** Digits that make a made-up token improbable. */
const checkOf = (serial: number): string => (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(36)

/** Marks the place after the character with this number; opaque to clients. */
const token = (serial: number): string => Buffer.from(`${serial}.${checkOf(serial)}`).toString('base64url')

/** What a token marks; `undefined` when no token of this service reads so. */
function position(given: string): number | undefined {
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
  size(given: string | null): number | undefined {
    if (given === null) return this.defaultSize
    return /^[1-9]\d*$/u.test(given) ? Math.min(Number(given), this.maximumSize) : undefined
  },
  token,
  position,
  /** Whether this value asks for the first page; `next_page_token` is "empty when no more pages". */
  isFirst: (given: string | null): boolean => given === null || given === '',
  /** "undeleted only" */
  lists: ({ deleted }: Character): boolean => !deleted,
  /** "newest first" */
  order: (one: Character, other: Character): number => other.serial - one.serial,
  /** Whether a character comes after the place that a token marks: writes in between move nothing. */
  follows: ({ serial }: Character, after: number): boolean => serial < after,
  /** Cuts the list, which holds only what follows. */
  cut: (characters: Character[], size: number): Page => {
    const cut = characters.slice(0, size)
    return { characters: cut, after: characters.length > size ? cut.at(-1)?.serial : undefined }
  },
  answer: (items: Wire[], next: string): unknown => ({ items, next_page_token: next }),
})
