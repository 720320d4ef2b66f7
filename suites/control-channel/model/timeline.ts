import { readOnce } from '#judge/read-once'
import { inOrder, isSent } from './additions.ts'
import { avatarsAt } from './avatars.ts'
import { isDecided, type ReceivedEvent, objectAt, type Session, textAt } from './sessions.ts'
import { type Asked, type Avatars, distinct, explains, outcomes, reachable, readState, type State } from './state.ts'
import { isUnsure, shownSession, type Update, updatesOf } from './updates.ts'

/** An applied update, and the states that may have been in effect before it. */
export interface Step {
  readonly update: Update
  readonly received: ReceivedEvent
  readonly shown: State
  /** The likeliest first; empty where nothing is known. */
  readonly before: readonly State[]
  /** Whether the model allows what was shown; true where it can't say. */
  readonly explained: boolean
  /** One state only was possible before it, so that what was kept is sure. */
  readonly certain: boolean
  /** The last of several that were on their way at the same time. */
  readonly newest: boolean
  /** Updates that an `error` refused since the state was last shown. */
  readonly refused: readonly Update[]
  /** The last state that was shown before, or that of the create. */
  readonly since: number
}

export interface Timeline {
  readonly initial: State | undefined
  readonly steps: readonly Step[]
  /** Modes that may be in effect at some time between two lines. */
  modes(from: number, to: number): ReadonlySet<string>
  /** States that may be in effect at some time between two lines; undefined where nobody can tell. */
  states(from: number, to: number): readonly State[] | undefined
}

/** What may be in effect from a line on. */
interface Era {
  readonly line: number
  readonly states: readonly State[]
}

const nothingKnown: readonly Era[] = [{ line: 0, states: [] }]

/** The state of a session over time: a set of what may be, since updates may pass each other and be taken back. */
export const timelineOf = readOnce(readTimeline)

function readTimeline(session: Session): Timeline {
  const told = readState(objectAt(session.create?.data ?? {}, 'session'))
  // An answer that names no avatar does not say which one is active.
  const initial = told?.avatar === '' ? undefined : told
  const reader = new Reader(session, initial === undefined ? undefined : startOf(session, initial))
  for (const [received, update] of arrivals(session)) reader.take(received, update)
  // What an update does that was sent when the session may have been over is undecided, and so is the state behind it.
  const late = session.sent.find((sent) => sent.type === 'session.update' && !isDecided(sent))
  const unknown = late?.line ?? Number.POSITIVE_INFINITY
  return {
    initial,
    steps: reader.steps,
    modes: (from, to) => modesIn(session, to < unknown ? reader.eras : nothingKnown, from, to),
    states: (from, to) => (to < unknown ? statesBetween(session, reader.eras, from, to) : undefined),
  }
}

/**
 * In `text_chat` the answer omits the image (4.1). One that the create named was never cleared, so that it may be "kept"
 * when the session comes to video (4.4).
 */
function startOf({ create }: Session, initial: State): State {
  const image = initial.mode === 'text_chat' ? textAt(objectAt(create?.body ?? {}, 'session'), 'source_image_id') : ''
  return image === undefined || image === '' ? initial : { ...initial, image }
}

/** States in text that show the same, and hold an image. */
function keptIn(base: readonly State[], { asked }: Update, shown: State, avatars: Avatars): readonly State[] {
  if (shown.mode !== 'text_chat') return []
  const states = base.flatMap((state) => outcomes(state, asked, avatars))
  return states.filter((state) => state.image !== null && explains(state, shown))
}

/** First arrivals of answers, wherever they came. */
function* arrivals(session: Session): Generator<[ReceivedEvent, Update]> {
  const firsts = new Map<ReceivedEvent, Update>()
  for (const update of updatesOf(session).updates) {
    for (const answer of [update.updated[0], update.done[0], update.failures[0]])
      if (answer !== undefined) firsts.set(answer, update)
  }
  for (const passed of inOrder(session)) {
    const update = isSent(passed) ? undefined : firsts.get(passed)
    if (update !== undefined) yield [passed, update]
  }
}

class Reader {
  readonly steps: Step[] = []
  readonly eras: Era[] = []
  readonly #session: Session
  /** Applied updates that may yet be taken back: not done, with what may have been before them; none where that is unknown. */
  readonly #revocable = new Map<Update, readonly State[]>()

  constructor(session: Session, initial: State | undefined) {
    this.#session = session
    this.eras.push({ line: 0, states: initial === undefined ? [] : [initial] })
  }

  take(received: ReceivedEvent, update: Update): void {
    // What is in effect now, the next update will show.
    if (isUnsure(update)) return void this.eras.push({ line: received.line, states: [] })
    if (received.type === 'session.updated') this.#apply(received, update)
    else if (update.updated.length === 0) this.#skip(received, update)
    else this.#finish(received, update)
  }

  /** What was superseded may go without an acknowledgement, and may have been applied or not. */
  #skip(received: ReceivedEvent, { asked }: Update): void {
    const current = this.eras.at(-1)?.states ?? []
    if (current.length === 0) return
    const states = reachable(current, [asked], avatarsAt(this.#session, received.line)) ?? []
    this.eras.push({ line: received.line, states: distinct([...current, ...states]) })
  }

  #apply(received: ReceivedEvent, update: Update): void {
    const shown = readState(shownSession(received))
    if (shown === undefined) {
      this.eras.push({ line: received.line, states: [] })
      return
    }
    const rivals = this.#rivals(received, update)
    const passing = rivals.some((one) => one.sent.connection !== update.sent.connection)
    const base = this.#base(received, update, passing)
    const open = rivals.filter((one) => one.updated.every((answer) => answer.line > received.line))
    const avatars = avatarsAt(this.#session, received.line)
    const before = reachable(
      base,
      open.map(({ asked }) => asked),
      avatars,
    )
    const explained =
      before === undefined ||
      base.length === 0 ||
      before.some((state) => outcomes(state, update.asked, avatars).some((after) => explains(after, shown)))
    const since = this.eras.at(-1)?.line ?? 0
    const refused = updatesOf(this.#session).updates.filter((one) => isRefusedWithin(one, since, received.line))
    const certain = base.length === 1 && open.length === 0
    const newest = open.length === 0 && rivals.length > 0
    this.steps.push({ update, received, shown, before: before ?? [], explained, certain, newest, refused, since })
    this.#revocable.set(update, before ?? base)
    const states = [shown, ...keptIn(base, update, shown, avatars), ...(passing ? this.#shownSince(update) : [])]
    this.eras.push({ line: received.line, states: distinct(states) })
  }

  /** Updates that were on their way at the same time, and were not refused. */
  #rivals(received: ReceivedEvent, update: Update): readonly Update[] {
    return updatesOf(this.#session).updates.filter((one) => {
      const end = (one.updated[0] ?? one.done[0] ?? one.failures[0])?.line ?? Number.POSITIVE_INFINITY
      return one !== update && one.errors.length === 0 && one.sent.line < received.line && end > update.sent.line
    })
  }

  #base(received: ReceivedEvent, update: Update, passing: boolean): readonly State[] {
    const current = this.eras.at(-1)?.states ?? []
    if (current.length === 0) return []
    const older = passing ? statesIn(this.eras, update.sent.line, received.line) : []
    const undone = [...this.#revocable].filter(([one]) => one !== update).map(([, states]) => states)
    return undone.some(isUnknown) ? [] : distinct([...current, ...older, ...undone.flat()])
  }

  #shownSince(update: Update): readonly State[] {
    return this.steps.filter(({ received }) => received.line > update.sent.line).map(({ shown }) => shown)
  }

  /** "`completed`, `cancelled`, `failed`": what did not complete may have been taken back. */
  #finish(received: ReceivedEvent, update: Update): void {
    const before = this.#revocable.get(update)
    if (before === undefined) return
    this.#revocable.delete(update)
    if (received.event['status'] === 'completed') return
    const place = this.steps.findIndex((step) => step.update === update)
    const later = this.steps.slice(place + 1).map((step): Asked => step.update.asked)
    const avatars = avatarsAt(this.#session, received.line)
    const undone = later.reduce((states, asked) => states.flatMap((state) => outcomes(state, asked, avatars)), before)
    const current = this.eras.at(-1)?.states ?? []
    if (isUnknown(current)) return
    const states = isUnknown(before) ? [] : distinct([...current, ...undone])
    this.eras.push({ line: received.line, states })
  }
}

const isUnknown = (states: readonly State[]): boolean => states.length === 0

function isRefusedWithin({ errors, updated }: Update, from: number, to: number): boolean {
  const [error] = errors
  return error !== undefined && updated.length === 0 && error.line > from && error.line < to
}

function statesIn(eras: readonly Era[], from: number, to: number): readonly State[] {
  return erasIn(eras, from, to).flatMap(({ states }) => states)
}

/** The era that `from` lies in, and those that begin before `to`. */
function erasIn(eras: readonly Era[], from: number, to: number): readonly Era[] {
  const start = Math.max(
    0,
    eras.findLastIndex(({ line }) => line <= from),
  )
  const end = eras.findLastIndex(({ line }) => line <= to)
  return eras.slice(start, end + 1)
}

function modesIn(session: Session, eras: readonly Era[], from: number, to: number): ReadonlySet<string> {
  const within = erasIn(eras, from, to)
  const unsure = within.some(({ states }) => states.length === 0)
  const shown = within.flatMap(({ states }) => states.map(({ mode }) => mode))
  const modes = new Set(unsure ? ['text_chat', 'video_avatar'] : shown)
  for (const { asked } of movingIn(session, from, to)) if (asked.mode !== undefined) modes.add(asked.mode)
  return modes
}

function statesBetween(session: Session, eras: readonly Era[], from: number, to: number): readonly State[] | undefined {
  const within = erasIn(eras, from, to)
  if (within.some(({ states }) => states.length === 0)) return undefined
  const asked = movingIn(session, from, to).map((one) => one.asked)
  return reachable(distinct(within.flatMap(({ states }) => states)), asked, avatarsAt(session, to))
}

/** Updates that may have taken effect between two lines. */
function movingIn(session: Session, from: number, to: number): readonly Update[] {
  return updatesOf(session).updates.filter(({ sent, updated, errors, done, failures }) => {
    const settled = (updated[0] ?? errors[0] ?? done[0] ?? failures[0])?.line ?? Number.POSITIVE_INFINITY
    return sent.line <= to && settled > from
  })
}
