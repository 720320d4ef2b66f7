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

interface Row {
  /** Threads that it can be done to; `fresh` begins one. */
  readonly to: readonly Thread[] | 'fresh' | 'any'
  readonly weight: number
  /** REST requests. */
  readonly price: number
}

const table = {
  create: { to: 'fresh', weight: 6, price: 1 },
  'create-after-invalid': { to: 'fresh', weight: 1, price: 2 },
  'create-at-once': { to: 'fresh', weight: 1, price: 5 },
  'create-and-give-up': { to: 'fresh', weight: 1, price: 2 },
  repeat: { to: ['open', 'unmade'], weight: 5, price: 1 },
  'repeat-at-once': { to: ['open'], weight: 1, price: 4 },
  'repeat-after-close': { to: ['closed'], weight: 2, price: 1 },
  get: { to: ['open'], weight: 6, price: 1 },
  'get-closed': { to: ['closed'], weight: 4, price: 1 },
  list: { to: 'any', weight: 3, price: 1 },
  connect: { to: ['open'], weight: 3, price: 0 },
  'connect-closed': { to: ['closed'], weight: 2, price: 0 },
  close: { to: ['open'], weight: 5, price: 1 },
  'close-again': { to: ['closed'], weight: 1, price: 1 },
  'get-unknown': { to: ['open', 'closed'], weight: 1, price: 1 },
  'close-unknown': { to: ['open', 'closed'], weight: 1, price: 1 },
} as const satisfies { readonly [deed: string]: Row }

const deeds = Object.keys(table) as readonly Deed[]

export function priceOf({ does }: Move): number {
  return table[does].price
}

/** What an integer of the plan means now. Every integer means something, whatever the state. */
export function resolve(step: number, roster: Roster): Move {
  const able = deeds
    .map((does) => ({ does, threads: threadsFor(table[does], roster), weight: table[does].weight }))
    .filter(({ threads }) => threads.length > 0)
  const total = able.reduce((sum, { weight }) => sum + weight, 0)
  let left = step % total
  for (const { does, threads, weight } of able) {
    if (left < weight) return { does, thread: threads[Math.floor(step / total) % threads.length] ?? 0 }
    left -= weight
  }
  return { does: 'list', thread: 0 }
}

function threadsFor({ to }: Row, { threads, room }: Roster): readonly number[] {
  const open = threads.filter((thread) => thread === 'open').length
  if (to === 'any') return [0]
  if (to === 'fresh') return open < room ? [threads.length] : []
  return threads.flatMap((thread, place) => {
    // A key without a session may come by one.
    const fits = to.includes(thread) && (thread !== 'unmade' || open < room)
    return fits ? [place] : []
  })
}

/** What came of a move, as far as the next ones depend on it. */
export interface Effect {
  /** Whether the thread has a session now; undefined where that did not change. */
  readonly made?: boolean | undefined
  /** The workspace has no room beside those that are open. */
  readonly full?: boolean | undefined
}

export function advance(roster: Roster, { does, thread }: Move, { made, full }: Effect = {}): Roster {
  const { threads } = roster
  const room = full === true ? Math.max(1, threads.filter((one) => one === 'open').length) : roster.room
  const next = does === 'close' ? 'closed' : made === undefined ? threads[thread] : made ? 'open' : 'unmade'
  if (next === undefined) return { ...roster, room }
  return { room, threads: thread < threads.length ? threads.with(thread, next) : [...threads, next] }
}

/** Whether a move of a tour can be made: with little room some sessions are missing. */
export function isPossible(move: Move, roster: Roster): boolean {
  const threads = threadsFor(table[move.does], roster)
  return threads.includes(move.thread)
}

/** The moves of a plan if everything goes well: what a seed means, without a target. */
export function foreseen(plan: readonly number[], start: Roster): readonly string[] {
  let roster = start
  return plan.map((step) => {
    const move = resolve(step, roster)
    const made = move.does === 'repeat' || table[move.does].to === 'fresh' ? true : undefined
    roster = advance(roster, move, { made })
    return `${move.does} ${move.thread}`
  })
}

const tour = (...moves: readonly string[]): readonly Move[] =>
  moves.map((move) => {
    const [does = '', thread = '0'] = move.split(' ')
    return { does: does as Deed, thread: Number(thread) }
  })

/** Every deed that tells much, at the moment at which it does. */
export const shortTour = tour('create', 'get', 'repeat', 'create 1', 'list', 'get', 'close', 'get 1', 'get-closed')

/** The same, and everything else once. */
export const longTour = [
  ...shortTour,
  ...tour('get-unknown', 'close-unknown', 'connect 1', 'repeat 1', 'create-at-once 2', 'get 1', 'repeat-at-once 2'),
  ...tour('close 2', 'get 1', 'repeat-after-close 2', 'get-closed 2', 'get-closed', 'connect-closed'),
  ...tour('create-after-invalid 3', 'close-again 2'),
  ...tour('create-and-give-up 4', 'repeat 4', 'list'),
]
