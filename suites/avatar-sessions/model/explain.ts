import {
  mostStates,
  openPhases,
  type Phase,
  start,
  type StimulusOutcome,
  type State,
  step,
  type Stimulus,
} from './model.ts'

/** One thing that was done about the sessions of a key, and what came of it. */
export interface Seen {
  readonly stimulus: Stimulus
  readonly outcome: StimulusOutcome
  /** Lines of the trace. */
  readonly lines: readonly number[]
  /** Milliseconds of the run at which it was asked for; the same as `t` where it is left out. */
  readonly since?: number
  /** Milliseconds of the run at which it was known. */
  readonly t: number
  /** What stood in the way of a create, for the rows that speak of it. */
  readonly trouble?: 'throttled' | 'fault' | 'silence' | undefined
}

export type History = readonly Seen[]

/** Whether sessions may have ended by themselves when this was seen. */
export type Lenience = (seen: Seen) => boolean

export type Explanation = Legal | Broken | { readonly is: 'overflow'; readonly place: number }

export interface Legal {
  readonly is: 'legal'
  /** Truths before each step, and after the last. */
  readonly believed: readonly (readonly State[])[]
}

export interface Broken {
  readonly is: 'broken'
  /** Place of what no truth explains. */
  readonly place: number
  /** Truths before each step that was taken, the one that broke included. */
  readonly believed: readonly (readonly State[])[]
}

/** Looks for an order of truths that explains a history: taken through the model step by step. */
export function explain(history: History, lenient: Lenience): Explanation {
  const believed: (readonly State[])[] = []
  let states = start
  for (const [place, seen] of history.entries()) {
    believed.push(states)
    states = step(states, seen.stimulus, seen.outcome, { unprompted: lenient(seen) })
    if (states.length === 0) return { is: 'broken', place, believed }
    if (states.length > mostStates) return { is: 'overflow', place }
  }
  return { is: 'legal', believed: [...believed, states] }
}

/** Whether the session is open in some truth. */
export function mayBeOpen(states: readonly State[] | undefined, id: string): boolean {
  return (states ?? []).some((state) => phasesOf(state, id).some((phase) => openPhases.includes(phase)))
}

/** Whether it is in all of them in one of these phases. */
export function mustBe(states: readonly State[], id: string, phases: readonly Phase[]): boolean {
  return states.every((state) => {
    const own = phasesOf(state, id)
    return own.length > 0 && own.every((phase) => phases.includes(phase))
  })
}

/** Whether it was asked to close while it was open. */
export function wasShut(states: readonly State[], id: string): boolean {
  return states.some((state) => state.some((session) => session.id === id && session.shut === true))
}

export function mustBeOpen(states: readonly State[], id: string): boolean {
  return mustBe(states, id, openPhases)
}

function phasesOf(state: State, id: string): readonly Phase[] {
  return state.find((session) => session.id === id)?.phases ?? []
}

/** Place of what first spoke against the session being open; what broke the history stands against it. */
export function witness({ believed, place }: Broken, id: string): number | undefined {
  const found = believed.findLastIndex((states, before) => before < place && mayBeOpen(states, id))
  return found >= 0 && found < place && !mayBeOpen(believed[found + 1], id) ? found : undefined
}

/** Leaves out, one by one, whatever the fault does not need: less to read. */
export function least(history: History, isSame: (shorter: History) => boolean): History {
  let left = history
  for (let place = history.length - 2; place >= 0; place -= 1) {
    const shorter = left.toSpliced(place, 1)
    if (isSame(shorter)) left = shorter
  }
  return left
}
