/** Something that was asked of a service, and what came of it, with the time in which it may have taken effect. */
export interface Timed {
  /** When it was asked. Any clock will do, a line of the trace for one, as long as all have the same. */
  readonly from: number
  /** When it was answered. Infinity where nothing tells whether it was done: then it may be at any time, or never. */
  readonly until: number
}

/** How a thing behaves that is asked for one deed after the other. */
export interface Model<State, Deed> {
  /** What may be true before anything was asked. */
  readonly start: readonly State[]
  /** All that may be true when the deed was done and answered as it was; nothing where that cannot be, in this state. */
  readonly step: (state: State, deed: Deed) => readonly State[]
  /** The same for states that are the same. */
  readonly nameOf: (state: State) => string
}

/** `overflow`: too many truths are possible to tell a mistake. */
export type Explained<State> =
  | { readonly is: 'legal'; readonly believed: Believed<State> }
  | { readonly is: 'broken'; readonly place: number; readonly believed: Believed<State> }
  | { readonly is: 'overflow' }

/** By the place of each answered deed in the history: what may have been true when it was done. */
export type Believed<State> = ReadonlyMap<number, readonly State[]>

/** More truths than this at a time are too many. */
const mostTruths = 4_096

/** A truth: a state, and which of the deeds that are under way have been done to come to it. */
interface Truth<State> {
  readonly state: State
  readonly done: ReadonlySet<number>
}

/**
 * Looks for an order in which deeds that ran beside each other can have been done, one after the other, each between its
 * asking and its answer (linearizability). All orders are tried at once: every deed that is under way may be done at any
 * moment, and must be when its answer comes.
 *
 * @returns `broken` with the place of the first answer that no order explains
 */
export function explain<State, Deed extends Timed>(
  history: readonly Deed[],
  model: Model<State, Deed>,
): Explained<State> {
  let truths: readonly Truth<State>[] = model.start.map((state) => ({ state, done: new Set() }))
  const underWay = new Set<number>()
  const believed = new Map<number, readonly State[]>()
  for (const { place, is } of moments(history)) {
    if (is === 'asked') {
      underWay.add(place)
      continue
    }
    const course = { history, model, underWay }
    const search = underWay.size === 1 ? doneAlone(place, truths, course) : searchFor(place, truths, course)
    if (search === undefined) return { is: 'overflow' }
    believed.set(place, search.before)
    if (search.after.length === 0) return { is: 'broken', place, believed }
    underWay.delete(place)
    truths = search.after
  }
  return { is: 'legal', believed }
}

interface Moment {
  readonly at: number
  readonly is: 'asked' | 'answered'
  readonly place: number
}

/** What was answered at the moment at which something else was asked came first. What takes no time is done between both. */
function moments(history: readonly Timed[]): readonly Moment[] {
  const all = history.flatMap(({ from, until }, place): readonly Moment[] => [
    { at: from, is: 'asked', place },
    { at: until, is: 'answered', place },
  ])
  const rankOf = ({ is, place }: Moment): number => {
    const deed = history[place]
    const instant = deed !== undefined && deed.from === deed.until
    return instant ? 1 : is === 'answered' ? 0 : 2
  }
  const told = all.filter(({ at }) => at !== Number.POSITIVE_INFINITY)
  return told.toSorted((one, other) => one.at - other.at || rankOf(one) - rankOf(other))
}

interface Course<State, Deed> {
  readonly history: readonly Deed[]
  readonly model: Model<State, Deed>
  readonly underWay: ReadonlySet<number>
}

interface Found<State> {
  /** States in which the deed was tried. */
  readonly before: readonly State[]
  /** Truths in which it has been done. */
  readonly after: readonly Truth<State>[]
}

/** Does the only deed that is under way; what was under way with it may have been answered after it was done. */
function doneAlone<State, Deed>(
  place: number,
  truths: readonly Truth<State>[],
  { history, model }: Course<State, Deed>,
): Found<State> | undefined {
  const deed = history[place]
  const before = new Map<string, State>()
  const after = new Map<string, Truth<State>>()
  const settle = (state: State): void => void after.set(model.nameOf(state), { state, done: none })
  for (const { state, done } of truths.toReversed()) {
    if (done.has(place)) {
      settle(state)
      continue
    }
    const name = model.nameOf(state)
    if (before.has(name) || deed === undefined) continue
    before.set(name, state)
    if (before.size > mostTruths) return undefined
    for (const next of model.step(state, deed).toReversed()) settle(next)
  }
  return { before: [...before.values()], after: [...after.values()] }
}

const none: ReadonlySet<number> = new Set()

/**
 * Does what is under way, in every order, until the deed at the place is done. What was never answered need not be done at
 * all, so where it changes nothing it is left undone: whatever may follow then may follow without it.
 */
function searchFor<State, Deed extends Timed>(
  place: number,
  truths: readonly Truth<State>[],
  { history, model, underWay }: Course<State, Deed>,
): Found<State> | undefined {
  const seen = new Map<string, Truth<State>>()
  const before = new Map<string, State>()
  const after = new Map<string, Truth<State>>()
  const left: Truth<State>[] = [...truths]
  for (let truth = left.pop(); truth !== undefined; truth = left.pop()) {
    if (truth.done.has(place)) {
      const done = new Set(truth.done)
      done.delete(place)
      const settled = { state: truth.state, done }
      after.set(nameOf(settled, model), settled)
      continue
    }
    const name = nameOf(truth, model)
    if (seen.has(name)) continue
    seen.set(name, truth)
    if (seen.size > mostTruths) return undefined
    const own = model.nameOf(truth.state)
    before.set(own, truth.state)
    for (const other of underWay) {
      const asked = history[other]
      if (asked === undefined || truth.done.has(other)) continue
      for (const state of model.step(truth.state, asked)) {
        if (asked.until === Number.POSITIVE_INFINITY && model.nameOf(state) === own) continue
        left.push({ state, done: new Set([...truth.done, other]) })
      }
    }
  }
  return { before: [...before.values()], after: [...after.values()] }
}

function nameOf<State>({ state, done }: Truth<State>, model: Model<State, never>): string {
  const under = done.size < 2 ? [...done] : [...done].toSorted((one, other) => one - other)
  return `${under.join(',')} ${model.nameOf(state)}`
}

/**
 * The least of a history that breaks at the same deed: what the fault does not need is left out, one by one, from the end.
 *
 * @param isSame whether a shorter history still breaks as the whole one does
 */
export function leastOf<Deed>(
  history: readonly Deed[],
  place: number,
  isSame: (shorter: readonly Deed[]) => boolean,
): readonly Deed[] {
  const broken = history[place]
  let left = history
  for (const deed of history.toReversed()) {
    if (deed === broken) continue
    const shorter = left.filter((one) => one !== deed)
    if (isSame(shorter)) left = shorter
  }
  return left
}
