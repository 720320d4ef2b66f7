import type { Option } from '#scenario/author/steering'

/** Scenarios that walk at random, by their ids: the rule judges what they did. */
export const propertyIds = [
  'avatar-sessions.session-life-property',
  'avatar-sessions.session-life-property-long',
] as const

/** What a walk may do next. `thread` counts idempotency keys in the order of their first use. */
export interface Move {
  readonly does: Deed
  readonly thread: number
}

type Deed = keyof typeof table

/** A key and its session, as far as the walker's own doing tells: what the target made of it is the judge's business. */
export type Thread = 'unmade' | 'open' | 'closed'

export interface Roster {
  readonly threads: readonly Thread[]
  /** Sessions that may be open at once. */
  readonly room: number
}

/** Of a thread, or `nothing` where one begins. */
type State = 'nothing' | Thread

interface Row {
  readonly at: readonly State[]
  readonly weight: number
  /** REST requests. */
  readonly price: number
}

const table = {
  create: { at: ['nothing'], weight: 6, price: 1 },
  'create-after-invalid': { at: ['nothing'], weight: 1, price: 2 },
  'create-at-once': { at: ['nothing'], weight: 1, price: 5 },
  'create-and-give-up': { at: ['nothing'], weight: 1, price: 2 },
  repeat: { at: ['open', 'unmade'], weight: 5, price: 1 },
  'repeat-late': { at: ['open'], weight: 1, price: 1 },
  'repeat-at-once': { at: ['open'], weight: 1, price: 4 },
  'repeat-after-close': { at: ['closed'], weight: 2, price: 1 },
  get: { at: ['open'], weight: 6, price: 1 },
  'get-closed': { at: ['closed'], weight: 4, price: 1 },
  list: { at: ['nothing', 'open', 'closed'], weight: 2, price: 1 },
  connect: { at: ['open'], weight: 3, price: 0 },
  'connect-after-a-wrong-secret': { at: ['open'], weight: 1, price: 0 },
  'connect-closed': { at: ['closed'], weight: 2, price: 0 },
  close: { at: ['open'], weight: 4, price: 1 },
  'close-while-it-speaks': { at: ['open'], weight: 2, price: 1 },
  'close-again': { at: ['closed'], weight: 1, price: 3 },
  'look-at-others': { at: ['closed'], weight: 2, price: 2 },
  'get-unknown': { at: ['open', 'closed'], weight: 1, price: 1 },
  'close-unknown': { at: ['open', 'closed'], weight: 1, price: 1 },
} as const satisfies { readonly [deed: string]: Row }

const deeds = Object.keys(table) as readonly Deed[]

/** Every state with all that can be done in it. That a key makes no session is the service's choice, and no pair. */
export const pairs: readonly string[] = deeds.flatMap((does) =>
  table[does].at.filter((state) => state !== 'unmade').map((state) => `${state} × ${does}`),
)

/** It takes longer than a short walk may. */
const longOnly: ReadonlySet<string> = new Set<Deed>(['repeat-late'])

/** Those of a short walk. */
export const shortPairs = pairs.filter((pair) => !longOnly.has(pair.replace(/^.* × /, '')))

/**
 * All that can be done now, to the newest thread first: a tour goes on with what it has begun.
 *
 * @param isLong whether the walk is a long one
 */
export function optionsOf({ threads, room }: Roster, isLong = true): readonly Option<Move>[] {
  const hasRoom = threads.filter((thread) => thread === 'open').length < room
  const able = (state: State, thread: number): readonly Option<Move>[] =>
    deeds
      .filter((does) => (table[does].at as readonly State[]).includes(state) && (isLong || !longOnly.has(does)))
      .map((does) => ({ state, operation: does, move: { does, thread }, ...costOf(does) }))
  // A key without a session may come by one.
  const others = threads.flatMap((state, place) => (state === 'unmade' && !hasRoom ? [] : able(state, place)))
  const fresh = hasRoom ? able('nothing', threads.length) : []
  return [...fresh, ...others.toReversed()]
}

const costOf = (does: Deed): Pick<Row, 'weight' | 'price'> => ({ weight: table[does].weight, price: table[does].price })

/** What came of a move, as far as the next ones depend on it. */
export interface Effect {
  /** Whether the thread has a session now; undefined where that did not change. */
  readonly made?: boolean | undefined
  /** The workspace has no room beside those that are open. */
  readonly full?: boolean | undefined
}

const closing: ReadonlySet<Deed> = new Set(['close', 'close-while-it-speaks'])

export function advance(roster: Roster, { does, thread }: Move, { made, full }: Effect = {}): Roster {
  const { threads } = roster
  const room = full === true ? Math.max(1, threads.filter((one) => one === 'open').length) : roster.room
  const next = closing.has(does) ? 'closed' : made === undefined ? threads[thread] : made ? 'open' : 'unmade'
  if (next === undefined) return { ...roster, room }
  return { room, threads: thread < threads.length ? threads.with(thread, next) : [...threads, next] }
}

/** Every deed that tells much, at the moment at which it does. */
export const tour = [
  'create',
  'repeat',
  'connect',
  'connect-after-a-wrong-secret',
  // The second time there is a connection for each of them: they come within a few milliseconds.
  'create-at-once',
  'create-at-once',
  'list',
  'get',
  'close-while-it-speaks',
  'look-at-others',
  'get-closed',
  'get-unknown',
  'close-unknown',
]
