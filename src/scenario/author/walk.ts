import type { Context } from './context.ts'
import { type Course, playCourse } from './property.ts'

/** Something that a walk may do now. */
export interface Option<Move> {
  /** What the walk is sure of, in a word or two: `idle`. */
  readonly state: string
  /** What would be done: `interrupt`. */
  readonly operation: string
  readonly move: Move
  /** How often it is taken beside the others. */
  readonly weight: number
  /** REST requests that it takes. */
  readonly price: number
}

/** How a walk goes through the states of something: at every step it does one of the things that can be done then. */
export interface Walk<State, Move> {
  /** What it goes through; walks of one name share what they have made. */
  readonly name: string
  /** Every pair that it can make, as {@link pairOf} writes them. */
  readonly pairs: readonly string[]
  readonly options: (state: State) => readonly Option<Move>[]
  readonly perform: (move: Move, state: State) => Promise<State>
}

/** What one walk does: operations that come first, where they can be done, and then the plan. */
export interface WalkCourse extends Omit<Course<never>, 'tour'> {
  readonly tour: readonly string[]
}

/** A state and an operation, in one word for both. */
export function pairOf({ state, operation }: Pick<Option<unknown>, 'state' | 'operation'>): string {
  return `${state} × ${operation}`
}

/** One step of so many goes by weight alone, whatever was made before. */
const freely = 8

/**
 * What an integer of a plan means now: something that no walk of this run has done in this state yet, if there is any,
 * else anything. Every integer means something.
 *
 * @returns undefined where nothing can be done
 */
export function choose<Move>(
  step: number,
  options: readonly Option<Move>[],
  made: ReadonlySet<string>,
): Option<Move> | undefined {
  const fresh = options.filter((one) => !made.has(pairOf(one)))
  const among = fresh.length > 0 && step % freely !== 0 ? fresh : options
  const total = among.reduce((sum, { weight }) => sum + weight, 0)
  let left = total === 0 ? 0 : Math.floor(step / freely) % total
  for (const option of among) {
    if (left < option.weight) return option
    left -= option.weight
  }
  return among.at(-1)
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
  const made = madeBy(c, name)
  const take = async (option: Option<Move>, state: State): Promise<State> => {
    made.add(pairOf(option))
    return perform(option.move, state)
  }
  let [state, spent] = [start, 0]
  for (const operation of tour) {
    const option = options(state).find((one) => one.operation === operation)
    if (option === undefined) continue
    state = await take(option, state)
    spent += option.price
  }
  const play = {
    resolve: (step: number, now: State, left: number) =>
      choose(
        step,
        options(now).filter(({ price }) => price <= left),
        made,
      ),
    price: ({ price }: Option<Move>) => price,
    perform: take,
  }
  const end = await playCourse(play, { tour: [], plan, budget: budget - spent }, state)
  const left = pairs.filter((pair) => !made.has(pair))
  c.mark(`${name}: ${pairs.length - left.length} of ${pairs.length} pairs made`, { name, pairs: pairs.length, left })
  return end
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

function madeBy({ walked }: Pick<Context, 'walked'>, name: string): Set<string> {
  const made = walked.get(name) ?? new Set()
  walked.set(name, made)
  return made
}
