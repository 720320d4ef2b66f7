import type { Option } from '#scenario/author/steering'

/** Scenarios that go through the lives of characters at random: the rule judges what they did. */
export const propertyIds = ['characters.lives-property', 'characters.lives-property-long'] as const

/** A character as far as the walk's own doing tells: what the target made of it is the judge's business. */
export interface Person {
  readonly stands: 'stored' | 'replaced' | 'deleted'
  /** Started with a key that can be sent again. */
  readonly keyed: boolean
  /** A session of it is open. */
  readonly open: boolean
}

export type Roster = readonly Person[]

/** What a walk may do next, to the character at the place. */
export interface Move {
  readonly does: Operation
  readonly place: number
}

type State = 'nobody' | 'stored' | 'replaced' | 'started' | 'deleted' | 'deleted and started'
type Operation = keyof typeof table

interface Row {
  readonly at: readonly State[]
  readonly weight: number
  /** REST requests. */
  readonly price: number
}

const living = ['stored', 'replaced', 'started'] as const
const gone = ['deleted', 'deleted and started'] as const
const anybody = [...living, ...gone] as const

const table = {
  create: { at: ['nobody'], weight: 6, price: 1 },
  // What is about no character in particular, whatever there is.
  'create-refused': { at: ['nobody'], weight: 2, price: 1 },
  list: { at: ['nobody'], weight: 3, price: 1 },
  get: { at: anybody, weight: 4, price: 1 },
  replace: { at: anybody, weight: 5, price: 1 },
  'replace-refused': { at: living, weight: 2, price: 1 },
  delete: { at: anybody, weight: 3, price: 1 },
  start: { at: ['stored', 'replaced', 'deleted'], weight: 3, price: 1 },
  // Volleys are dear, and found the same in every state.
  'start-at-once': { at: ['replaced'], weight: 2, price: 5 },
  'start-again': { at: ['started', 'deleted and started'], weight: 3, price: 1 },
  close: { at: ['started', 'deleted and started'], weight: 2, price: 1 },
  'replace-at-once': { at: ['stored'], weight: 2, price: 5 },
  'delete-beside-replace': { at: ['replaced'], weight: 2, price: 6 },
  'start-beside-delete': { at: ['stored'], weight: 1, price: 6 },
} as const satisfies { readonly [operation: string]: Row }

const operations = Object.keys(table) as readonly Operation[]

/** Every state with all that can be done in it. */
export const pairs: readonly string[] = operations.flatMap((one) => table[one].at.map((state) => `${state} × ${one}`))

/** Those of a walk in which no mistakes are made. */
export const pairsWithoutRefusals = pairs.filter((pair) => !pair.endsWith('-refused'))

/** Characters that one walk has stored at a time. */
const most = 3

/**
 * All that can be done now.
 *
 * @param refusals whether mistakes are made as well
 */
export function optionsOf(roster: Roster, refusals = true): readonly Option<Move>[] {
  const able = (state: State, place: number): readonly Option<Move>[] =>
    operations
      .filter((one) => (table[one].at as readonly State[]).includes(state) && isFree(one, roster))
      .filter((one) => refusals || !one.endsWith('-refused'))
      .map((one) => optionOf(state, one, place))
  const others = roster.flatMap((person, place) => able(stateOf(person), place))
  // The newest first: a tour goes on with what it has begun.
  return [...able('nobody', roster.length), ...others.toReversed()]
}

function optionOf(state: State, does: Operation, place: number): Option<Move> {
  const { weight, price } = table[does]
  return { state, operation: does, move: { does, place }, weight, price }
}

function stateOf({ stands, keyed, open }: Person): State {
  if (stands === 'deleted') return keyed && open ? 'deleted and started' : 'deleted'
  return open && keyed ? 'started' : stands
}

/**
 * One session at a time: a workspace may have room for no more. What is refused has the save of another one for its
 * control, and a list is of something.
 */
function isFree(does: Operation, roster: Roster): boolean {
  if (does === 'create') return roster.filter(({ stands }) => stands !== 'deleted').length < most
  if (table[does].at[0] === 'nobody') return roster.length > 0
  const starts = does === 'start' || does === 'start-at-once' || does === 'start-beside-delete'
  return !starts || !roster.some(({ open }) => open)
}

/** What tells most with few requests: what only an order or a race shows. */
export const tour = [
  'create',
  'replace-at-once',
  'start-at-once',
  'replace',
  'get',
  'start-again',
  'close',
  'delete-beside-replace',
  'start',
  'create',
  'list',
]

/** What the other long walks begin with, one each: what is done to a character in every state. */
export const longTours: readonly (readonly string[])[] = [
  [
    'create get replace-refused create-refused start replace-refused delete get replace delete start-again close get',
    'replace delete',
  ],
  ['create replace get replace replace-refused start close delete create start-beside-delete create delete'],
].map((parts) => parts.flatMap((words) => words.split(' ')))
