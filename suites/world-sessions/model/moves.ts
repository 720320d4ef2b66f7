import type { Option } from '#scenario/author/steering'

/** Scenarios that go through the lives of world sessions at random: the rules judge what they did. */
export const propertyIds = ['world-sessions.lives-property', 'world-sessions.lives-property-long'] as const

/** A session as far as the walk's own doing tells. */
export interface Place {
  readonly stands: 'active' | 'renewed' | 'conflicted' | 'closed'
}

export type Roster = readonly Place[]

/** What a walk may do next, to the session at the place. */
export interface Move {
  readonly does: Operation
  readonly place: number
}

type State = 'nothing' | Place['stands']
type Operation = keyof typeof table

interface Row {
  readonly at: readonly State[]
  readonly weight: number
  /** REST requests. */
  readonly price: number
}

const open = ['active', 'renewed'] as const
const any = [...open, 'closed'] as const
/** A conflict may have moved the key: what goes by the key tells. */
const keyed = [...open, 'conflicted'] as const

const table = {
  create: { at: ['nothing'], weight: 4, price: 1 },
  'create-at-once': { at: ['nothing'], weight: 2, price: 5 },
  'create-refused': { at: open, weight: 2, price: 1 },
  'create-neighbour': { at: open, weight: 2, price: 1 },
  'create-without-key': { at: ['nothing'], weight: 1, price: 4 },
  'create-given-up': { at: ['nothing'], weight: 1, price: 3 },
  'create-running': { at: ['nothing'], weight: 1, price: 4 },
  'create-again-late': { at: ['active'], weight: 1, price: 1 },
  'create-again': { at: [...keyed, 'closed'], weight: 3, price: 1 },
  'create-other-body': { at: keyed, weight: 3, price: 1 },
  get: { at: any, weight: 3, price: 1 },
  renew: { at: [...keyed, 'closed'], weight: 3, price: 1 },
  'renew-with-key': { at: open, weight: 2, price: 1 },
  'renew-again': { at: ['renewed', 'closed'], weight: 2, price: 1 },
  close: { at: open, weight: 2, price: 2 },
  'close-oldest': { at: open, weight: 1, price: 2 },
  'close-again': { at: ['closed'], weight: 2, price: 2 },
  'close-with-used-key': { at: ['active'], weight: 2, price: 3 },
  'await-closed': { at: ['closed'], weight: 1, price: 4 },
  // Volleys are dear, and found the same in every state.
  'close-beside-renew': { at: ['conflicted'], weight: 2, price: 5 },
  'close-beside-create': { at: ['active'], weight: 2, price: 5 },
} as const satisfies { readonly [operation: string]: Row }

const operations = Object.keys(table) as readonly Operation[]

/** Every state with all that can be done in it; a close of the oldest is a close. */
export const pairs: readonly string[] = operations
  .filter((one) => one !== 'close-oldest')
  .flatMap((one) => table[one].at.map((state) => `${state} × ${one}`))

/** What only long walks do: mistakes, and what takes long or tells little. */
const longOnly: ReadonlySet<string> = new Set([
  'create-refused',
  'create-neighbour',
  'create-without-key',
  'create-given-up',
  'create-running',
  'create-again-late',
  'close-oldest',
  'close-with-used-key',
  'await-closed',
])

/** Those of a short walk. */
export const shortPairs = pairs.filter((pair) => !longOnly.has(pair.replace(/^.* × /, '')))

/** Sessions that one walk has open at a time. */
const most = 2

/**
 * All that can be done now.
 *
 * @param isLong whether the walk is a long one
 */
export function optionsOf(roster: Roster, isLong = true): readonly Option<Move>[] {
  const room = roster.filter(({ stands }) => stands !== 'closed').length < most
  const able = (state: State) =>
    operations.filter(
      (one) =>
        (table[one].at as readonly State[]).includes(state) &&
        (isLong || !longOnly.has(one)) &&
        (room || one !== 'create-neighbour'),
    )
  const still = roster.flatMap(({ stands }, place) => (stands === 'closed' ? [] : [place]))
  const fits = (one: Operation, place: number): boolean =>
    one !== 'close-oldest' || (still.length > 1 && still[0] === place)
  const fresh = room ? able('nothing').map((one) => optionOf('nothing', one, roster.length)) : []
  const others = roster.flatMap(({ stands }, place) =>
    able(stands)
      .filter((one) => fits(one, place))
      .map((one) => optionOf(stands, one, place)),
  )
  // The newest first: a tour goes on with what it has begun.
  return [...fresh, ...others.toReversed()]
}

function optionOf(state: State, does: Operation, place: number): Option<Move> {
  const { weight, price } = table[does]
  return { state, operation: does, move: { does, place }, weight, price }
}

/** What tells most with few requests: what only an order or a race shows. */
export const tour = [
  'create',
  'renew',
  'create-again',
  'create-other-body',
  'create-again',
  'create-other-body',
  'close-beside-renew',
  'renew',
  'close-again',
  'create-at-once',
]

/**
 * What the long walks do, one each: what only comes of a few things in their order. A service may end one session by itself
 * or all at once, so that what ends another one, or itself, comes twice, at different times.
 */
export const longTours: readonly (readonly string[])[] = [
  [
    'create create-neighbour close renew close-again create-without-key create-running create-given-up',
    'renew renew-with-key renew renew-with-key renew-again get close',
  ],
  [
    'create create-refused renew create-again get create-refused create-other-body create-again create-other-body',
    'create-again close-beside-renew renew close-again create-at-once',
  ],
  [
    'create create close-oldest create-neighbour close close-again renew-with-key create-neighbour close',
    'create create-other-body create-other-body create-again',
    ...Array.from({ length: 6 }, () => 'create-other-body'),
    'renew',
  ],
  [
    'create create-again get create-again-late create close-oldest close-with-used-key await-closed get renew-again create-again',
    'create create close close-again',
  ],
].map((parts) => parts.flatMap((words) => words.split(' ')))
