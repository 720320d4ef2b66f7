import type { KeyName } from '#spec/profile'
import type { Option } from '#scenario/author/steering'

/** The scenario that goes through the places of a workspace at random: the rule judges what it did. */
export const propertyId = 'limits.places-property'

/** The key of a workspace whose cap the profile declares. */
export const walkKey = 'capped' satisfies KeyName

/** Places that are taken, as far as the walk's own doing tells. */
export interface Roster {
  readonly open: number
  readonly cap: number
  /** Whether a session was closed already. */
  readonly closed: boolean
}

type State = 'empty' | 'some' | 'full'
export type Move = keyof typeof table

interface Row {
  readonly at: readonly State[]
  readonly weight: number
  /** REST requests. */
  readonly price: number
}

const table = {
  create: { at: ['empty', 'some', 'full'], weight: 4, price: 1 },
  'create-at-once': { at: ['empty', 'some', 'full'], weight: 3, price: 4 },
  'create-again': { at: ['some', 'full'], weight: 2, price: 1 },
  'create-invalid': { at: ['empty', 'some', 'full'], weight: 1, price: 1 },
  close: { at: ['some', 'full'], weight: 4, price: 2 },
  'close-again': { at: ['empty', 'some', 'full'], weight: 1, price: 1 },
  'close-beside-create': { at: ['some', 'full'], weight: 3, price: 4 },
} as const satisfies { readonly [operation: string]: Row }

const operations = Object.keys(table) as readonly Move[]

/** Every state with all that can be done in it. */
export const pairs: readonly string[] = operations.flatMap((one) => table[one].at.map((state) => `${state} × ${one}`))

export function optionsOf({ open, cap, closed }: Roster): readonly Option<Move>[] {
  const state: State = open === 0 ? 'empty' : open < cap ? 'some' : 'full'
  return operations
    .filter((one) => (table[one].at as readonly State[]).includes(state) && (closed || one !== 'close-again'))
    .map((one) => ({ state, operation: one, move: one, weight: table[one].weight, price: table[one].price }))
}
