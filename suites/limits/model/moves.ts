import type { KeyName } from '#spec/profile'
import type { Option } from '#scenario/author/steering'

/** The scenario that goes through the places of a workspace at random: the rule judges what it did. */
export const propertyId = 'limits.places-property'

/** What its walks and its tour have made counts together. */
export const walkName = 'places'

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
  /** REST requests: one number where the state makes no difference. */
  readonly price: number | { readonly [state in State]: number }
}

const table = {
  create: { at: ['empty', 'some', 'full'], weight: 4, price: 1 },
  // One at least is to be refused.
  'create-at-once': { at: ['empty', 'some', 'full'], weight: 3, price: { empty: 4, some: 3, full: 2 } },
  'create-again': { at: ['some', 'full'], weight: 2, price: 1 },
  'create-invalid': { at: ['empty', 'some', 'full'], weight: 1, price: 1 },
  close: { at: ['some', 'full'], weight: 4, price: 2 },
  'close-again': { at: ['empty', 'some', 'full'], weight: 1, price: 1 },
  'close-beside-create': { at: ['some', 'full'], weight: 3, price: 4 },
} as const satisfies { readonly [operation: string]: Row }

const operations = Object.keys(table) as readonly Move[]

const pairOf = (state: State, operation: Move): string => `${state} × ${operation}`

/** Every state with all that can be done in it. */
export const pairs: readonly string[] = operations.flatMap((one) => table[one].at.map((state) => pairOf(state, one)))

const stateOf = ({ open, cap }: Pick<Roster, 'open' | 'cap'>): State =>
  open === 0 ? 'empty' : open < cap ? 'some' : 'full'

/** What the tour does counts as the same move of a walk would. */
export const pairAt = (roster: Pick<Roster, 'open' | 'cap'>, operation: Move): string =>
  pairOf(stateOf(roster), operation)

export function optionsOf(roster: Roster): readonly Option<Move>[] {
  const state = stateOf(roster)
  return operations
    .filter((one) => (table[one].at as readonly State[]).includes(state) && (roster.closed || one !== 'close-again'))
    .map((one) => ({ state, operation: one, move: one, weight: table[one].weight, price: priceOf(one, roster) }))
}

/** REST requests of a move. */
export function priceOf(move: Move, roster: Pick<Roster, 'open' | 'cap'>): number {
  const { price }: Row = table[move]
  return typeof price === 'number' ? price : price[stateOf(roster)]
}
