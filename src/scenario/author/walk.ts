import type { Context } from './context.ts'
import { choose, type Option, pairOf, statesOf, WalkMemory } from './steering.ts'

/** How a walk goes through the states of something: at every step it does one of the things that can be done then. */
export interface Walk<State, Move> {
  /** What it goes through; walks of one name share what they have made. */
  readonly name: string
  /** Every pair that it can make, as {@link pairOf} writes them. */
  readonly pairs: readonly string[]
  readonly options: (state: State) => readonly Option<Move>[]
  readonly perform: (move: Move, state: State) => Promise<State>
}

/** What one walk does. */
export interface WalkCourse {
  /** Operations that come first, where they can be done, whatever the plan says. */
  readonly tour: readonly string[]
  readonly plan: readonly number[]
  /** Requests that tour and plan may take together; the tour is never cut short. */
  readonly budget: number
}

/**
 * A tour, then a plan until its budget is spent; what is left open is the caller's. What the walks of this name have not
 * made by then is told in the trace.
 */
export async function takeWalk<State, Move>(
  c: Pick<Context, 'walked' | 'mark'>,
  { name, pairs, options, perform }: Walk<State, Move>,
  { tour, plan, budget }: WalkCourse,
  start: State,
): Promise<State> {
  const memory = memoryOf(c, name)
  let [state, spent] = [start, 0]
  const take = async (option: Option<Move> | undefined): Promise<void> => {
    if (option === undefined) return
    memory.made.add(pairOf(option))
    const before = statesOf(options(state))
    state = await perform(option.move, state)
    memory.learn(option, before, statesOf(options(state)))
    spent += option.price
  }
  for (const operation of tour) await take(options(state).find((one) => one.operation === operation))
  for (const step of plan) {
    const affordable = options(state).filter(({ price }) => price <= budget - spent)
    await take(choose(step, affordable, memory, pairs))
  }
  const left = pairs.filter((pair) => !memory.made.has(pair))
  c.mark(`${name}: ${pairs.length - left.length} of ${pairs.length} pairs made`, { name, pairs: pairs.length, left })
  return state
}

/** Makes the moves of one walk, and ends what it left open. */
interface Walker<State, Move> {
  make(move: Move, state: State): Promise<State>
  drain(): Promise<void>
}

/** Walks of one name, a walker each. */
interface Walks<State, Move> extends Omit<Walk<State, Move>, 'perform'> {
  readonly walker: (count: number) => Walker<State, Move>
}

/** What they do: one plan each, the tour before the first; the budget is that of each. */
interface WalkCourses extends Omit<WalkCourse, 'plan'> {
  readonly plans: readonly (readonly number[])[]
}

/** Several walks from the same start, each drained before the next begins. */
export async function takeWalks<State, Move>(
  c: Pick<Context, 'walked' | 'mark'>,
  { walker: walkerOf, ...walk }: Walks<State, Move>,
  { tour, plans, budget }: WalkCourses,
  start: State,
): Promise<void> {
  for (const [count, plan] of plans.entries()) {
    const walker = walkerOf(count)
    const perform = (move: Move, state: State): Promise<State> => walker.make(move, state)
    await takeWalk(c, { ...walk, perform }, { tour: count === 0 ? tour : [], plan, budget }, start)
    await walker.drain()
  }
}

/** Tells that a pair of the walks of a name was made by other means: none of them has to make it any more. */
export function tellMade(c: Pick<Context, 'walked'>, name: string, pair: string): void {
  memoryOf(c, name).made.add(pair)
}

function memoryOf({ walked }: Pick<Context, 'walked'>, name: string): WalkMemory {
  const memory = walked.get(name) ?? new WalkMemory()
  walked.set(name, memory)
  return memory
}
