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

/** A state and an operation, in one word for both. */
export function pairOf({ state, operation }: Pick<Option<unknown>, 'state' | 'operation'>): string {
  return `${state}${between}${operation}`
}

const between = ' × '

const stateIn = (pair: string): string => pair.slice(0, pair.lastIndexOf(between))

export function statesOf(options: readonly Option<unknown>[]): ReadonlySet<string> {
  return new Set(options.map(({ state }) => state))
}

/** What the walks of one name have made and seen in a run. */
export class WalkMemory {
  readonly made = new Set<string>()
  /** By pair: states in which something was, once it was made. */
  readonly #leads = new Map<string, Set<string>>()

  /** Where several things are walked through, only what was not there before came of it. */
  learn(option: Option<unknown>, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    const fresh = after.size === 1 ? after : after.difference(before)
    const known = this.#leads.get(pairOf(option))
    this.#leads.set(pairOf(option), known === undefined ? new Set(fresh) : known.union(fresh))
  }

  /**
   * Those of the options that lead, by the fewest steps that were seen, to a state in which something was never done.
   *
   * @returns none where nothing that was seen leads there
   */
  onTheWay<Move>(options: readonly Option<Move>[], pairs: readonly string[]): readonly Option<Move>[] {
    const far = this.#distances(pairs.filter((pair) => !this.made.has(pair)).map(stateIn))
    const ways = options.map((option) => ({ option, steps: leastOf(this.#leads.get(pairOf(option)), far) }))
    const least = Math.min(...ways.map(({ steps }) => steps))
    return least === Infinity ? [] : ways.filter(({ steps }) => steps === least).map(({ option }) => option)
  }

  /** How many steps each state is from one of these, as far as was seen. */
  #distances(goals: readonly string[]): ReadonlyMap<string, number> {
    const far = new Map(goals.map((state) => [state, 0]))
    for (let changed = true; changed; ) {
      changed = false
      for (const [pair, leads] of this.#leads) {
        const [state, steps] = [stateIn(pair), leastOf(leads, far) + 1]
        if (steps >= (far.get(state) ?? Infinity)) continue
        far.set(state, steps)
        changed = true
      }
    }
    return far
  }
}

function leastOf(states: ReadonlySet<string> | undefined, far: ReadonlyMap<string, number>): number {
  return Math.min(...[...(states ?? [])].map((state) => far.get(state) ?? Infinity))
}

/** One step of so many goes by weight alone, whatever was made before. */
const freely = 8

/**
 * What an integer of a plan means now: something that no walk of this run has done in this state yet, if there is any; else
 * what leads to a state that has such, as far as was seen; else anything. Every integer means something.
 *
 * @param pairs all that the walk can make
 * @returns undefined where nothing can be done
 */
export function choose<Move>(
  step: number,
  options: readonly Option<Move>[],
  memory: WalkMemory,
  pairs: readonly string[],
): Option<Move> | undefined {
  const among = step % freely === 0 ? options : wanted(options, memory, pairs)
  const total = among.reduce((sum, { weight }) => sum + weight, 0)
  let left = total === 0 ? 0 : Math.floor(step / freely) % total
  for (const option of among) {
    if (left < option.weight) return option
    left -= option.weight
  }
  return among.at(-1)
}

function wanted<Move>(
  options: readonly Option<Move>[],
  memory: WalkMemory,
  pairs: readonly string[],
): readonly Option<Move>[] {
  const fresh = options.filter((one) => !memory.made.has(pairOf(one)))
  if (fresh.length > 0) return fresh
  const ways = memory.onTheWay(options, pairs)
  return ways.length > 0 ? ways : options
}
