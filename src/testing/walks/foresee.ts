import type { Plan } from '#arbitraries/plan'
import type { Option, WalkMemory } from '#scenario/author/steering'
import { takeWalks } from '#scenario/author/walk'

/** A walk whose moves come to what `advance` says: what its plans mean, without a target. */
export interface PureWalk<State, Move> {
  readonly pairs: readonly string[]
  readonly options: (state: State) => readonly Option<Move>[]
  readonly advance: (state: State, move: Move) => State
  readonly start: State
}

export interface Foreseen<Move> {
  /** The moves, in their order. */
  readonly moves: readonly Move[]
  /** Pairs that none of the walks made. */
  readonly left: readonly string[]
}

/** Walks with one memory: the tour and the first plan, then the other plans, each within the budget of REST requests. */
export async function foresee<State, Move>(
  { pairs, options, advance, start }: PureWalk<State, Move>,
  { tour = [], plans, budget }: { tour?: readonly string[]; plans: readonly Plan[]; budget: number },
): Promise<Foreseen<Move>> {
  const walked = new Map<string, WalkMemory>()
  const moves: Move[] = []
  const walker = () => ({
    make: async (move: Move, state: State): Promise<State> => {
      moves.push(move)
      return advance(state, move)
    },
    drain: async () => {},
  })
  const walks = { name: 'foreseen', pairs, options, walker }
  await takeWalks({ walked, mark: () => 0 }, walks, { tour, plans, budget }, start)
  const made = walked.get('foreseen')?.made
  return { moves, left: pairs.filter((pair) => made?.has(pair) !== true) }
}
