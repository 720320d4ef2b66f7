/** How the steps of a plan become requests. */
export interface Play<State, Move> {
  /** What a step means now, with so many requests left; undefined where nothing can be done. */
  readonly resolve: (step: number, state: State, left: number) => Move | undefined
  /** Requests that the move takes. */
  readonly price: (move: Move) => number
  readonly perform: (move: Move, state: State) => Promise<State>
}

export interface Course<Move> {
  /** Moves that come first, whatever the plan says. */
  readonly tour: readonly Move[]
  readonly plan: readonly number[]
  /** Requests that tour and plan may take together; the tour is never cut short. */
  readonly budget: number
}

/** A tour, then a plan until its budget is spent. Draining what is left open is the caller's. */
export async function playCourse<State, Move>(
  play: Play<State, Move>,
  { tour, plan, budget }: Course<Move>,
  start: State,
): Promise<State> {
  let state = start
  let spent = 0
  for (const move of tour) {
    state = await play.perform(move, state)
    spent += play.price(move)
  }
  for (const step of plan) {
    const move = play.resolve(step, state, budget - spent)
    if (move === undefined || spent + play.price(move) > budget) continue
    state = await play.perform(move, state)
    spent += play.price(move)
  }
  return state
}
