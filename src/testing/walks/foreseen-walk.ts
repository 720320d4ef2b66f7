import { choose, type Option, pairOf } from '#scenario/author/walk'

/** Things that can be done in a state, and what becomes of it where they go well. */
interface Going<State, Move> {
  readonly start: State
  readonly options: (state: State) => readonly Option<Move>[]
  readonly advance: (state: State, move: Move) => State
}

/**
 * What a tour and a plan come to if everything goes well.
 * @param made pairs that walks have made so far; those of this one are added
 */
export function foreseenWalk<State, Move>(
  { start, options, advance }: Going<State, Move>,
  steps: readonly (string | number)[],
  made = new Set<string>(),
): readonly Option<Move>[] {
  let state = start
  const done: Option<Move>[] = []
  for (const step of steps) {
    const now = options(state)
    const option = typeof step === 'string' ? now.find(({ operation }) => operation === step) : choose(step, now, made)
    if (option === undefined) continue
    made.add(pairOf(option))
    done.push(option)
    state = advance(state, option.move)
  }
  return done
}
