import { pairOf, type Option } from '#scenario/author/steering'

type Last = 'an append' | 'an insertion' | 'a deletion'

/** What the walk believes of a conversation: the ids of its items in their order, the first that was made among them. */
export interface Shelf {
  readonly items: readonly string[]
  readonly gone: readonly string[]
  readonly last: Last
  /** The one that was made last, if it is still there. */
  readonly newest?: string | undefined
  /** Outputs of calls that are there, and calls whose output is. */
  readonly outputs?: readonly string[]
  readonly calls?: readonly string[]
  /** Output of responses. */
  readonly generated?: readonly string[]
}

/** What not every service has. */
export interface Abilities {
  readonly calls: boolean
  readonly video: boolean
}

interface Row {
  readonly weight: number
  /** How many items beside the kept one, and how many deleted ones, it needs. */
  readonly items?: number
  readonly gone?: number
  /** How many outputs of calls, calls with one, and outputs of responses it needs. */
  readonly outputs?: number
  readonly calls?: number
  readonly generated?: number
  readonly needs?: keyof Abilities
}

const table = {
  append: { weight: 2 },
  'append with an id': { weight: 2 },
  'append with an odd id': { weight: 1 },
  'insert at the root': { weight: 2 },
  'insert before a system message': { weight: 1 },
  'insert after the first': { weight: 2 },
  'insert in the middle': { weight: 2, items: 3 },
  'insert after the last': { weight: 2 },
  'insert after a deleted one': { weight: 1, gone: 1 },
  'delete the first': { weight: 2, items: 1 },
  'delete in the middle': { weight: 2, items: 3 },
  'delete the last': { weight: 2, items: 1 },
  'delete the newest': { weight: 3, items: 1 },
  'delete all but one': { weight: 2, items: 4 },
  'delete it again': { weight: 1, gone: 1 },
  'retrieve one': { weight: 2 },
  'retrieve a deleted one': { weight: 3, gone: 1 },
  'retrieve an unknown one': { weight: 1 },
  'bring an id again': { weight: 1, items: 1 },
  'bring a deleted id again': { weight: 1, gone: 1 },
  faulty: { weight: 1 },
  'append a call and its output': { weight: 1 },
  'append with media': { weight: 1 },
  'append an id in another case': { weight: 1 },
  'append a long text': { weight: 1 },
  'delete the output of a call': { weight: 1, outputs: 1 },
  'delete a call': { weight: 1, calls: 1 },
  'call a function': { weight: 1, needs: 'calls' },
  'call a function out of band': { weight: 1, needs: 'calls' },
  'insert after output': { weight: 1, generated: 1 },
  'speak behind a deletion': { weight: 1, items: 1 },
  'speak behind a speech': { weight: 1 },
  'delete beside a speech': { weight: 1, items: 1 },
  'change the mode and back': { weight: 1, items: 1, needs: 'video' },
  speak: { weight: 1 },
  generate: { weight: 2 },
  'generate into it': { weight: 1 },
  'generate out of band': { weight: 1 },
  'ask about a deleted one': { weight: 1, gone: 1 },
  'speak out of band': { weight: 1 },
  'cut one out of band': { weight: 1 },
  reconnect: { weight: 1 },
} as const satisfies { readonly [operation: string]: Row }

export type Operation = keyof typeof table

const operations = Object.keys(table) as readonly Operation[]

export function stateOf({ items, last }: Shelf): string {
  if (items.length <= 1) return 'one item'
  return `${items.length < 4 ? 'few items' : 'several items'}, after ${last}`
}

/** What can be done to a conversation. */
export function optionsAt(shelf: Shelf, abilities: Abilities): readonly Option<Operation>[] {
  return operations
    .filter((operation) => fits(shelf, table[operation], abilities))
    .map((operation) => ({
      state: stateOf(shelf),
      operation,
      move: operation,
      weight: table[operation].weight,
      price: 0,
    }))
}

function fits(
  shelf: Shelf,
  { items = 0, gone = 0, outputs = 0, calls = 0, generated = 0, needs }: Row,
  can: Abilities,
) {
  const holds = (ids: readonly string[] | undefined, count: number): boolean => (ids?.length ?? 0) >= count
  const listed = holds(shelf.outputs, outputs) && holds(shelf.calls, calls) && holds(shelf.generated, generated)
  return listed && shelf.items.length > items && shelf.gone.length >= gone && (needs === undefined || can[needs])
}

/** Conversations of every kind that the states tell apart. */
const shelves: readonly Shelf[] = (['an append', 'an insertion', 'a deletion'] as const).flatMap((last) =>
  [1, 3, 5]
    .filter((count) => last !== 'an insertion' || count > 1)
    .map((count) => ({
      last,
      gone: ['gone'],
      outputs: count > 1 ? ['output'] : [],
      calls: count > 1 ? ['call'] : [],
      generated: count > 1 ? ['text'] : [],
      items: Array.from({ length: count }, (_, place) => `item-${place}`),
    })),
)

/** Every pair that can be made. */
export function shelfPairs(abilities: Abilities): readonly string[] {
  return [...new Set(shelves.flatMap((shelf) => optionsAt(shelf, abilities).map(pairOf)))]
}

/** What is left when one is deleted. */
export function without({ items, gone, outputs = [], calls = [], generated = [] }: Shelf, id: string): Shelf {
  const left = (ids: readonly string[]): readonly string[] => ids.filter((one) => one !== id)
  return {
    items: left(items),
    gone: [...left(gone), id],
    outputs: left(outputs),
    calls: left(calls),
    generated: left(generated),
    last: 'a deletion',
  }
}
