import { type Option, pairOf } from '#scenario/author/steering'
import type { Talk } from '../talk.ts'

/** What a session is created with counts as an addition. */
type Last = 'an addition' | 'a refusal' | 'a repetition'

/** What the walk believes to be registered: speech texts and avatars, and ids of those that were refused. */
export interface Register {
  readonly texts: readonly string[]
  readonly prompts: readonly string[]
  /** An image and a sound, by their ids. */
  readonly media: readonly string[]
  readonly avatars: readonly string[]
  readonly refusedTexts: readonly string[]
  readonly refusedPrompts: readonly string[]
  readonly refusedAvatars: readonly string[]
  readonly last: Last
  /** The text that was named last though it was there. */
  readonly again?: string
}

/** A session that a walk begins with. */
export interface Ground {
  readonly talk: Talk
  /** Another connection of it. */
  readonly connect: () => Promise<Talk>
  /** The avatar that is active at first. */
  readonly first: string
  /** Speech texts that it was created with. */
  readonly given: readonly string[]
}

/** @param texts that the session is created with */
export const newRegister = (texts: readonly string[]): Register => ({
  texts,
  prompts: [],
  media: [],
  avatars: [],
  refusedTexts: [],
  refusedPrompts: [],
  refusedAvatars: [],
  last: 'an addition',
})

interface Row {
  readonly weight: number
  readonly fits?: (register: Register) => boolean
  /** An image and a sound that the service can fetch. */
  readonly media?: true
}

const hasTexts = ({ texts }: Register): boolean => texts.length > 0
const hasAvatars = ({ avatars }: Register): boolean => avatars.length > 0
const hasPrompts = ({ prompts }: Register): boolean => prompts.length > 0
const hasMedia = ({ media }: Register): boolean => media.length > 0
const refusedText = ({ refusedTexts }: Register): boolean => refusedTexts.length > 0
const refusedPrompt = ({ refusedPrompts }: Register): boolean => refusedPrompts.length > 0
const refusedAvatar = ({ refusedAvatars }: Register): boolean => refusedAvatars.length > 0

const table = {
  'add a text': { weight: 2 },
  'add several kinds': { weight: 2 },
  'add an odd text': { weight: 1 },
  'add a text in another case': { weight: 1 },
  'add a text again': { weight: 2, fits: hasTexts },
  'add beside an existing text': { weight: 1, fits: hasTexts },
  'add before an existing text': { weight: 1, fits: hasTexts },
  'add beside an invalid text': { weight: 2 },
  'add behind an invalid text': { weight: 1 },
  'add a text beside an invalid prompt': { weight: 1 },
  'add a text under the id of a prompt': { weight: 1, fits: hasPrompts },
  'add a prompt again': { weight: 1, fits: hasPrompts },
  'add a prompt under the id of a text': { weight: 1, fits: hasTexts },
  'add a refused prompt': { weight: 1, fits: refusedPrompt },
  'add media': { weight: 1, media: true },
  'add media again': { weight: 1, fits: hasMedia, media: true },
  'add refused media': { weight: 1, fits: hasMedia, media: true },
  'add a sound under the id of a text': { weight: 1, fits: hasTexts, media: true },
  'add a refused text': { weight: 2, fits: refusedText },
  'speak a text': { weight: 3, fits: hasTexts },
  'speak a text beside': { weight: 1, fits: hasTexts },
  'speak a refused text': { weight: 2, fits: refusedText },
  'add an avatar': { weight: 2 },
  'add several avatars': { weight: 1 },
  'add an avatar again': { weight: 1, fits: hasAvatars },
  'add beside an invalid avatar': { weight: 2 },
  'add behind an invalid avatar': { weight: 1 },
  'add an invalid avatar': { weight: 1 },
  'add an avatar twice': { weight: 1 },
  'add beside an existing avatar': { weight: 1, fits: hasAvatars },
  'add a refused avatar': { weight: 2, fits: refusedAvatar },
  'select an avatar': { weight: 2, fits: hasAvatars },
  'select a refused avatar': { weight: 1, fits: refusedAvatar },
  'select the first avatar': { weight: 1 },
  'look at the state': { weight: 2 },
  reconnect: { weight: 1 },
} as const satisfies { readonly [operation: string]: Row }

export type Operation = keyof typeof table

const operations = Object.keys(table) as readonly Operation[]

/** What can be added, or used of what was added. @param media whether there is an image and a sound to be fetched */
export function optionsAt(register: Register, media: boolean): readonly Option<Operation>[] {
  return operations
    .filter((operation) => media || (table[operation] as Row).media === undefined)
    .filter((operation) => (table[operation] as Row).fits?.(register) ?? true)
    .map((operation) => ({
      state: `after ${register.last}`,
      operation,
      move: operation,
      weight: table[operation].weight,
      price: 0,
    }))
}

const lasts: readonly Last[] = ['an addition', 'a refusal', 'a repetition']
const full = {
  texts: ['t'],
  prompts: ['p'],
  media: ['i', 's'],
  avatars: ['a'],
  refusedTexts: ['r'],
  refusedPrompts: ['r'],
  refusedAvatars: ['r'],
}

/** Every pair that can be made. */
export const registerPairs = (media: boolean): readonly string[] =>
  lasts.flatMap((last) => optionsAt({ ...full, last }, media)).map(pairOf)
