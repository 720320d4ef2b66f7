/**
 * What may be true of one session (3.1). `asked`: open, but a close is under way whose answer was lost, so that it may
 * take effect at any time.
 */
export type Phase = 'active' | 'asked' | 'closing' | 'closed' | 'failed'

/** What an answer may show (2.1). */
export type Status = Exclude<Phase, 'asked'>

/** Without an id: a create whose answer was lost made it. */
export interface Session {
  readonly id: string | undefined
  /** All that may be true of it, whatever is true of the others; never empty. */
  readonly phases: readonly Phase[]
  /** It was asked to close while it may have been open: it did not end by itself before. */
  readonly shut?: boolean
}

/**
 * A truth about the sessions that came of one idempotency key, the latest last, as far as it is certain which there are. The model holds
 * several at a time.
 */
export type State = readonly Session[]

export type Stimulus =
  | { readonly act: 'create' }
  | { readonly act: 'get' | 'close' | 'connect'; readonly id: string }
  | { readonly act: 'list' }
  /** A close of a session of another key: nothing changes here. */
  | { readonly act: 'close-another' }

export type StimulusOutcome =
  | { readonly is: 'made'; readonly id: string; readonly status?: Status | undefined }
  /** Creates that ran at once, in whichever order the service took them. */
  | { readonly is: 'together'; readonly of: readonly StimulusOutcome[] }
  | { readonly is: 'shown'; readonly status?: Status | undefined }
  /** Ids that stand in the list, and ids that would have to, were their sessions open. */
  | { readonly is: 'listed'; readonly shown: readonly string[]; readonly missing: readonly string[] }
  | { readonly is: 'accepted' }
  /** The control channel applied an event. */
  | { readonly is: 'admitted' }
  | { readonly is: 'refused' }
  /** No answer of the service itself: it may have acted or not. */
  | { readonly is: 'lost' }
  /** Told nothing and did nothing. */
  | { readonly is: 'nothing' }

export interface World {
  /** Whether sessions may end though nobody asked: 3.1 lets the service close them for limits, failures, maintenance. */
  readonly unprompted: boolean
}

/** More truths than this at a time are too many to tell a mistake. */
export const mostStates = 64

export const start: readonly State[] = [[]]
export const openPhases: readonly Phase[] = ['active', 'asked']
const over: readonly Phase[] = ['closing', 'closed', 'failed']
const all: readonly Phase[] = [...openPhases, ...over]

/** Where time may have taken a session since it was last seen. Ways out of `failed` are not shown (3.1). */
const drifts: { readonly [phase in Phase]: readonly Phase[] } = {
  active: ['active'],
  asked: ['asked', ...over],
  closing: over,
  failed: over,
  closed: ['closed'],
}

/** What of a session may be true if this is what came of asking for it. A field that is missing excludes nothing. */
const shownBy: { readonly [status in Status]: readonly Phase[] } = {
  active: openPhases,
  closing: ['closing'],
  closed: ['closed'],
  failed: ['failed'],
}

/** All truths that are left after one more outcome; none: no correct service does this. */
export function step(
  states: readonly State[],
  stimulus: Stimulus,
  outcome: StimulusOutcome,
  world: World,
): readonly State[] {
  switch (stimulus.act) {
    case 'create':
      return create(states, outcome, world)
    case 'list':
      return outcome.is === 'listed' ? listed(states, outcome, world) : states
    case 'get':
      return narrowed(states, stimulus.id, world, gotten(outcome))
    case 'connect':
      return outcome.is === 'admitted'
        ? narrowed(states, stimulus.id, world, [...openPhases, 'closing', 'failed'])
        : states
    case 'close':
      return close(states, stimulus.id, outcome, world)
    case 'close-another':
      return states
  }
}

/** 20005 for a session that closes is a choice; for one that is open it is not (4.1). */
function gotten(outcome: StimulusOutcome): readonly Phase[] {
  if (outcome.is === 'refused') return over
  return outcome.is === 'shown' && outcome.status !== undefined ? shownBy[outcome.status] : all
}

function listed(
  states: readonly State[],
  outcome: Extract<StimulusOutcome, { is: 'listed' }>,
  world: World,
): readonly State[] {
  const seen = outcome.shown.reduce(
    (left, id) => moved(left, id, (session) => reached(session, world, session.shut === true ? listable : all)),
    states,
  )
  return outcome.missing.reduce((left, id) => narrowed(left, id, world, over), seen)
}

/**
 * "Open sessions, to find and close ended sessions that still hold concurrency quota" (4.1): all but those that are closed.
 * What ended by itself may hold its place, and stand there, until somebody closes it.
 */
const listable = all.filter((phase) => phase !== 'closed')

/** Repeated closes may be answered in any way; a close of an open session is accepted. */
function close(states: readonly State[], id: string, outcome: StimulusOutcome, world: World): readonly State[] {
  switch (outcome.is) {
    case 'accepted':
      return moved(
        states.map((state) => state.map((session) => (session.id === id ? askedToClose(session) : session))),
        id,
        byPhase((phase) => (phase === 'closed' ? ['closed'] : over)),
      )
    case 'refused':
      return narrowed(states, id, world, ['asked', ...over])
    case 'lost':
      return moved(
        states,
        id,
        byPhase((phase) => (phase === 'active' ? ['asked'] : drifts[phase])),
      )
    default:
      return states
  }
}

const askedToClose = (session: Session): Session =>
  session.phases.some((phase) => openPhases.includes(phase)) ? { ...session, shut: true } : session

/** A refused create makes nothing; whether its key remembers the refusal is a choice that shows in nothing else. */
function create(states: readonly State[], outcome: StimulusOutcome, world: World): readonly State[] {
  if (outcome.is === 'made') return distinct(states.flatMap((state) => made(state, outcome, world)))
  if (outcome.is === 'lost') return distinct(states.flatMap((state) => maybeMade(state, world)))
  return outcome.is === 'together' ? together(states, outcome.of, world) : states
}

/**
 * "Retrying a create with the same key does not allocate a duplicate session" (4.1). Whether a key is free again when
 * its session is over is a choice.
 */
function made(state: State, { id, status }: Extract<StimulusOutcome, { is: 'made' }>, world: World): readonly State[] {
  if (state.some((session) => session.id === id)) return [state]
  const added = withNew(state, { id, phases: [status ?? 'active'] }, world)
  const last = state.at(-1)
  // A key stands for the latest of its sessions.
  return last !== undefined && last.id === undefined ? [[...state.slice(0, -1), { ...last, id }], ...added] : added
}

function maybeMade(state: State, world: World): readonly State[] {
  if (state.some((session) => session.id === undefined)) return [state]
  return [state, ...withNew(state, { id: undefined, phases: ['active'] }, world)]
}

/** One more session; none of the others may be open any more. */
function withNew(state: State, session: Session, world: World): readonly State[] {
  const ends = state.map((other) => ({ ...other, phases: reached(other, world, over) }))
  return ends.every(({ phases }) => phases.length > 0) ? [[...ends, session]] : []
}

/** All orders are tried. What was open before may have ended by itself, but not what was made a moment ago. */
function together(states: readonly State[], outcomes: readonly StimulusOutcome[], world: World): readonly State[] {
  const before = states.map((state) => state.map((session) => ({ ...session, phases: reached(session, world, all) })))
  return distinct(
    permutations(outcomes).flatMap((order) =>
      order.reduce<readonly State[]>((left, outcome) => create(left, outcome, { unprompted: false }), before),
    ),
  )
}

function permutations(outcomes: readonly StimulusOutcome[]): readonly (readonly StimulusOutcome[])[] {
  if (outcomes.length < 2) return [outcomes]
  const orders = outcomes.flatMap((first, place) =>
    permutations(outcomes.toSpliced(place, 1)).map((rest) => [first, ...rest]),
  )
  return uniqueBy(orders, (order) => JSON.stringify(order))
}

/** Where the session may be by now, of the phases that count. */
function reached({ phases }: Session, { unprompted }: World, keep: readonly Phase[]): readonly Phase[] {
  const wider: readonly Phase[] = unprompted ? ['active', ...over] : drifts.active
  const now = new Set(phases.flatMap((phase) => (phase === 'active' ? wider : drifts[phase])))
  return all.filter((phase) => now.has(phase) && keep.includes(phase))
}

/** Keeps the truths in which the session may be in one of the phases. */
function narrowed(states: readonly State[], id: string, world: World, keep: readonly Phase[]): readonly State[] {
  return keep === all ? states : moved(states, id, (session) => reached(session, world, keep))
}

function moved(states: readonly State[], id: string, to: (session: Session) => readonly Phase[]): readonly State[] {
  const next = states.flatMap((state) => {
    const place = state.findIndex((session) => session.id === id)
    const session = state[place]
    if (session === undefined) return [state]
    const phases = to(session)
    return phases.length === 0 ? [] : [state.with(place, { ...session, phases })]
  })
  return distinct(next)
}

/** Phases by phases. */
const byPhase = (to: (phase: Phase) => readonly Phase[]) => (session: Session) => {
  const next = new Set(session.phases.flatMap(to))
  return all.filter((phase) => next.has(phase))
}

function distinct(states: readonly State[]): readonly State[] {
  return uniqueBy(states, (state) =>
    state.map(({ id, phases, shut = false }) => `${id ?? ''} ${phases.join('/')} ${shut}`).join(),
  )
}

function uniqueBy<T>(values: readonly T[], name: (value: T) => string): readonly T[] {
  return [...new Map(values.map((value) => [name(value), value])).values()]
}
