import { isNamelessFailure, isOwnFailure } from '#judge/conditions/own-failure'
import { readOnce } from '#judge/read-once'
import type { JsonObject } from '#trace/json'
import { causeOf, inOrder, isSent, mayTellOf } from './additions.ts'
import { between, type ReceivedEvent, isDecided, objectAt, type SentEvent, type Session, textAt } from './sessions.ts'
import { type Asked, readAsked } from './state.ts'

/** A `session.update` and its answers, in the order in which they came. */
export interface Update {
  readonly sent: SentEvent
  readonly asked: Asked
  readonly updated: ReceivedEvent[]
  readonly done: ReceivedEvent[]
  /** Each an `error` that refuses it. */
  readonly errors: ReceivedEvent[]
  /** Each an `error` of the service's own over it: what became of it is not known. */
  readonly failures: ReceivedEvent[]
  /** Other events of ours bear the same id, so that an answer may be theirs. */
  readonly shared: boolean
  /** Which of several updates without an id an answer belongs to was guessed. */
  guessed: boolean
}

/**
 * Whether it can't be told for sure which answers are its own, or what became of it. Whether an empty text as its image is
 * none, an omitted one or a fault is not said.
 */
export function isUnsure({ shared, guessed, failures, asked }: Update): boolean {
  return shared || guessed || asked.image === '' || failures.length > 0
}

const mutable = ['mode', 'active_avatar_id', 'source_image_id']

/** Whether it names what cannot be changed: "only mode, active avatar and source image are mutable" (4.4). */
export function namesImmutable(event: JsonObject): boolean {
  return Object.keys(objectAt(event, 'session')).some((name) => !mutable.includes(name))
}

/** An answer that belongs to no update. */
export interface Stray {
  readonly received: ReceivedEvent
  /** Updates with an id that were sent on this connection and wait for such an answer. */
  readonly waiting: readonly Update[]
  /** Updates of the session before it. */
  readonly sent: number
  /** The update of that id, which has had its answer on this connection. */
  readonly again: Update | undefined
}

export interface Updates {
  readonly updates: readonly Update[]
  readonly strayUpdated: readonly Stray[]
  readonly strayDone: readonly Stray[]
}

type UpdateEnd = 'updated' | 'done'

/** The updates of a session, each with its answers: told by `event_id`, and without one by order. */
export const updatesOf = readOnce(readUpdates)

function readUpdates(session: Session): Updates {
  const updates: Update[] = []
  const stray = { updated: [] as Stray[], done: [] as Stray[] }
  const reader: Reader = { updates, failed: new Set() }
  for (const passed of inOrder(session)) {
    if (isSent(passed)) {
      if (passed.type === 'session.update' && isDecided(passed)) updates.push(begin(passed))
    } else if (passed.type === 'session.updated') {
      record(reader, passed, 'updated', textAt(passed.event, 'event_id'), stray.updated)
    } else if (passed.type === 'session.update.done') {
      record(reader, passed, 'done', textAt(passed.event, 'request_event_id'), stray.done)
    } else if (passed.type === 'error') {
      const id = causeOf(passed)
      const update = id === undefined ? undefined : updates.find((one) => one.sent.id === id)
      if (update !== undefined && !update.shared)
        (isOwnFailure(passed.event) ? update.failures : update.errors).push(passed)
      if (isNamelessFailure(passed.event)) for (const one of openTo(updates, passed)) reader.failed.add(one)
    }
  }
  for (const update of updates) update.errors.push(...namelessRefusal(session, update, updates))
  return { updates, strayUpdated: stray.updated, strayDone: stray.done }
}

/**
 * The `error` that names no event and refuses an update all the same: the update never has an answer, its client had heard
 * something before it sent that and sent nothing more before the error, and a later one is answered. `error.event_id` is
 * optional. In a recording the answer may have been left out.
 */
function namelessRefusal(session: Session, update: Update, updates: readonly Update[]): readonly ReceivedEvent[] {
  const { sent, updated, done, errors } = update
  const { connection, line } = sent
  if (session.recorded || session.connections.length > 1 || sent.id === undefined || isUnsure(update)) return []
  if (updated.length + done.length + errors.length > 0) return []
  const error = connection.received.find(
    (one) => one.type === 'error' && mayTellOf(one, line) && !isOwnFailure(one.event),
  )
  if (error === undefined || between(session.sent, line, error.line).length > 0) return []
  const before = session.sent.findLast((one) => one.line < line)?.line
  if (before !== undefined && between(connection.received, before, line).length === 0) return []
  const goesOn = updates.some((one) => one.sent.line > error.line && one.updated.length > 0)
  return goesOn ? [error] : []
}

function begin(sent: SentEvent): Update {
  const namesakes = sent.id === undefined ? [] : (sent.connection.session.byId.get(sent.id) ?? [])
  const shared = namesakes.length > 1
  return { sent, asked: readAsked(sent.event), updated: [], done: [], errors: [], failures: [], shared, guessed: false }
}

interface Reader {
  readonly updates: Update[]
  /** Updates without an id over which the service may have failed: their answers may never come. */
  readonly failed: Set<Update>
}

/** Updates without an id that wait for their answer on the connection of an `error`. */
const openTo = (updates: readonly Update[], { connection }: ReceivedEvent): readonly Update[] =>
  updates.filter(({ sent, updated }) => sent.connection === connection && sent.id === undefined && updated.length === 0)

function record(
  reader: Reader,
  received: ReceivedEvent,
  kind: UpdateEnd,
  id: string | undefined,
  stray: Stray[],
): void {
  const { connection } = received
  const { updates } = reader
  const waits = (one: Update): boolean => !one[kind].some((answer) => answer.connection === connection)
  const named = id === undefined || id === '' ? [] : updates.filter((one) => one.sent.id === id)
  const next = named.find(waits) ?? (named.length === 0 ? nameless(reader, received, kind, waits) : undefined)
  if (next !== undefined) {
    next[kind].push(received)
    return
  }
  const own = updates.filter((one) => one.sent.connection === connection && one.sent.id !== undefined)
  const waiting = own.filter(
    (one) =>
      waits(one) && one.errors.length + one.failures.length === 0 && (kind === 'updated' || one.updated.length > 0),
  )
  stray.push({ received, waiting, sent: updates.length, again: named[0] })
}

/**
 * The update without an id that is answered: the one whose acknowledgement an end names, or that was told of by the same
 * event elsewhere; else the oldest of this connection that still waits, and one that its sender has not heard of yet, before
 * those that this connection never heard of.
 */
function nameless(
  { updates, failed }: Reader,
  { connection, event }: ReceivedEvent,
  kind: UpdateEnd,
  waits: (one: Update) => boolean,
): Update | undefined {
  const waiting = updates.filter((one) => one.sent.id === undefined && waits(one))
  const told = waiting.find((one) => one[kind].some((answer) => answer.event['event_id'] === event['event_id']))
  const name = kind === 'done' ? event['request_event_id'] : undefined
  const tied = name === undefined ? told : waiting.find((one) => one.updated.some((answer) => names(answer, name)))
  if (tied !== undefined) return tied
  // One may have been refused by an `error` that names none, or superseded without an acknowledgement.
  if (waiting.length > 1) for (const one of waiting) one.guessed = true
  const likely = waiting.filter((one) => !failed.has(one))
  const open = [...likely, ...waiting.filter((one) => failed.has(one))]
  const own = likely.find(({ sent }) => sent.connection === connection)
  return own ?? told ?? open.find((one) => onAsker(one, one[kind]).length === 0) ?? open[0]
}

const names = ({ event }: ReceivedEvent, name: unknown): boolean => event['event_id'] === name

/** Answers that came on the connection that asked; who else gets them is not said. */
export function onAsker(update: Update, answers: readonly ReceivedEvent[]): readonly ReceivedEvent[] {
  return answers.filter((received) => received.connection === update.sent.connection)
}

/** What an event shows under `session`. */
export function shownSession({ event }: ReceivedEvent) {
  return objectAt(event, 'session')
}

/** Nothing was sent while an update was under way, and no other one was. */
export function isAlone({ sent }: Update, done: ReceivedEvent): boolean {
  const { session } = sent.connection
  return between(session.sent, sent.line, done.line).length === 0 && !isMidUpdate(session, sent.line)
}

function isMidUpdate(session: Session, line: number): boolean {
  return updatesOf(session).updates.some(({ sent, done, errors, failures }) => {
    const end = (done[0] ?? errors[0] ?? failures[0])?.line ?? Number.POSITIVE_INFINITY
    return sent.line < line && end > line
  })
}
