import { isOwnFailure } from '#judge/conditions/own-failure'
import { readOnce } from '#judge/read-once'
import type { JsonObject } from '#trace/json'
import { hasLongId } from './ids.ts'
import { type ReceivedEvent, isDecided, type ChannelEvent, type SentEvent, type Session, textAt } from './sessions.ts'

/** One thing that an `asset.add` or `avatar.add` would register. */
export interface Member {
  readonly id: string
  /** Array that it stands in: a kind of asset, or `avatars`. */
  readonly kind: string
  readonly value: JsonObject
}

/** An `asset.add` or `avatar.add`, and what became of it as far as that can be told. */
export interface Addition {
  readonly sent: SentEvent
  readonly members: readonly Member[]
  confirmed: ReceivedEvent | undefined
  /** An `error` that names it, and tells of no failure of the service. */
  refused: ReceivedEvent | undefined
}

/** A confirmation, and the addition that it must belong to. */
export interface Confirmation {
  readonly received: ReceivedEvent
  readonly shown: readonly Member[]
  /** The only one it can belong to. */
  readonly addition: Addition | undefined
  /** Additions sent before it on this session, and those of them that an `error` had named by then. */
  readonly sent: number
  readonly refused: number
  /** Confirmations that came on this connection up to this one. */
  readonly count: number
}

export interface Additions {
  readonly additions: readonly Addition[]
  readonly confirmations: readonly Confirmation[]
}

/** How one kind of addition is written. */
export interface Form {
  readonly add: string
  readonly added: string
  members(event: JsonObject): readonly Member[]
}

/**
 * Pairs additions with their confirmations. These name no event, so they are told by order and by content: one belongs to
 * the addition that is alone outstanding on its connection, or to the only one all of whose members it lists.
 */
export function pairAdditions(session: Session, form: Form): Additions {
  const additions: Addition[] = []
  const confirmations: Confirmation[] = []
  const counts = new Map<number, number>()
  const bySent = new Map<SentEvent, Addition>()
  for (const passed of inOrder(session)) {
    if (isSent(passed)) {
      if (passed.type !== form.add || !isDecided(passed)) continue
      const addition: Addition = {
        sent: passed,
        members: form.members(passed.event),
        confirmed: undefined,
        refused: undefined,
      }
      additions.push(addition)
      bySent.set(passed, addition)
    } else if (passed.type === 'error') {
      const sent = toldBy(passed)
      const addition = sent === undefined ? undefined : bySent.get(sent)
      if (addition !== undefined && addition.confirmed === undefined && !isOwnFailure(passed.event)) {
        addition.refused ??= passed
      }
    } else if (passed.type === form.added) {
      confirmations.push(confirm(passed, additions, form, counts))
    }
  }
  return { additions, confirmations }
}

function confirm(
  received: ReceivedEvent,
  additions: readonly Addition[],
  form: Form,
  counts: Map<number, number>,
): Confirmation {
  const shown = form.members(received.event)
  const count = (counts.get(received.connection.channel) ?? 0) + 1
  counts.set(received.connection.channel, count)
  const refused = additions.filter((one) => one.refused !== undefined).length
  const addition = partner(received, shown, additions)
  if (addition !== undefined) addition.confirmed ??= received
  return { received, shown, addition, sent: additions.length, refused, count }
}

function partner(
  received: ReceivedEvent,
  shown: readonly Member[],
  additions: readonly Addition[],
): Addition | undefined {
  const isHere = (one: Addition): boolean => one.sent.connection === received.connection
  const open = additions.filter((one) => isHere(one) && isOpen(one))
  // What was sent elsewhere may be told of here, too.
  const fits = (one: Addition): boolean => isListed(one, shown)
  const fitting = open.filter(fits)
  if (fitting.length === 1 && !additions.some((one) => !isHere(one) && one.refused === undefined && fits(one)))
    return fitting[0]
  const alone = additions.every((one) => one.sent.connection === received.connection)
  return alone && open.length === 1 ? open[0] : undefined
}

function isOpen({ confirmed, refused }: Addition): boolean {
  return confirmed === undefined && refused === undefined
}

function lists(members: readonly Member[], id: string, kind: string): boolean {
  return members.some((member) => member.id === id && member.kind === kind)
}

/** Whether it lists all that was to be added; what names nothing would fit everything. */
export function isListed({ members }: Addition, shown: readonly Member[]): boolean {
  return members.length > 0 && members.every(({ id, kind }) => lists(shown, id, kind))
}

/** Everything that passed in a session, in the order of the trace. */
export const inOrder = readOnce(({ sent, received }: Session): readonly (SentEvent | ReceivedEvent)[] => {
  const passed: (SentEvent | ReceivedEvent)[] = []
  let next = 0
  for (const one of received) {
    for (let ours = sent[next]; ours !== undefined && ours.line < one.line; ours = sent[next]) {
      passed.push(ours)
      next += 1
    }
    passed.push(one)
  }
  for (; next < sent.length; next += 1) passed.push(sent[next] as SentEvent)
  return passed
})

export function isSent(channelEvent: ChannelEvent): channelEvent is SentEvent {
  return 'id' in channelEvent
}

/** The `error` events of a session, by the client event that they name. */
export const errorsByCause = readOnce(({ received }: Session) =>
  Map.groupBy(
    received.filter(({ type }) => type === 'error'),
    causeOf,
  ),
)

/** The one event of ours that an `error` names; undefined where it names none, or an id that several bear. */
export function toldBy(error: ReceivedEvent): SentEvent | undefined {
  const [sent, ...others] = error.connection.session.byId.get(causeOf(error) ?? '') ?? []
  return others.length === 0 ? sent : undefined
}

/** Whether an event of ours was refused: the error was seen whole, and tells of no failure of the service itself. */
export function isRefusal(error: ReceivedEvent | undefined): error is ReceivedEvent {
  return error !== undefined && isDecided(error) && !isOwnFailure(error.event)
}

/** Whether it was refused for what it says: one with too long an id may be refused for that alone. */
export function isRefusalOf(sent: SentEvent, error: ReceivedEvent | undefined): error is ReceivedEvent {
  return !hasLongId(sent) && isRefusal(error)
}

/** The client event that an `error` names. */
export function causeOf({ event }: ReceivedEvent): string | undefined {
  const error = event['error']
  const id =
    typeof error === 'object' && error !== null && !Array.isArray(error)
      ? textAt(error as JsonObject, 'event_id')
      : undefined
  return id === '' ? undefined : id
}

/** Whether an `error` may tell of what was sent at this line: it comes later, and names no event of ours. */
export function mayTellOf(error: ReceivedEvent, line: number): boolean {
  return error.line > line && !error.connection.session.byId.has(causeOf(error) ?? '')
}
