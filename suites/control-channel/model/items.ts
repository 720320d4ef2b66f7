import { isNamelessFailure, isOwnFailure } from '#judge/conditions/own-failure'
import { readOnce } from '#judge/read-once'
import { equal } from '#trace/match'
import type { Json, JsonObject } from '#trace/json'
import { inOrder, isSent, toldBy } from './additions.ts'
import { hasLongId } from './ids.ts'
import {
  type ReceivedEvent,
  type Connection,
  isDecided,
  objectAt,
  objectsAt,
  type SentEvent,
  type Session,
  textAt,
} from './sessions.ts'

/** A `conversation.item.create`, `retrieve` or `delete` of ours, and its answers. */
export interface Ask {
  readonly sent: SentEvent
  readonly kind: 'create' | 'retrieve' | 'delete'
  /** Id of the item; a create may leave it to the service. */
  readonly item: string | undefined
  readonly answers: ReceivedEvent[]
  /** An `error` that names it, and one that names it although it was answered. */
  refused: ReceivedEvent | undefined
  denied: ReceivedEvent | undefined
  /** The service failed over it, or may refuse it for its id alone: what became of it is not known. */
  failed: boolean
}

/** An answer of the same kinds that belongs to nothing that we asked for on its connection. */
export interface Unasked {
  readonly received: ReceivedEvent
  readonly kind: Ask['kind']
  readonly id: string
  /** What waits for an answer on this connection. */
  readonly waiting: readonly Ask[]
}

export interface Items {
  readonly asks: readonly Ask[]
  readonly unasked: readonly Unasked[]
  /** What each event answers. */
  readonly answered: ReadonlyMap<ReceivedEvent, Ask>
}

/** Events of any type may come (9.3), so that no object will do: it has members of its own. */
const asksFor: ReadonlyMap<string, Ask['kind']> = new Map([
  ['conversation.item.create', 'create'],
  ['conversation.item.retrieve', 'retrieve'],
  ['conversation.item.delete', 'delete'],
])
const answersTo: ReadonlyMap<string, Ask['kind']> = new Map([
  ['conversation.item.created', 'create'],
  ['conversation.item.retrieved', 'retrieve'],
  ['conversation.item.deleted', 'delete'],
])

/** What we asked about items, each with its answers: they name no event, so they are told by id, creates also by content. */
export const itemsOf = readOnce(readItems)

function readItems(session: Session): Items {
  const desk = new Desk(session)
  for (const passed of inOrder(session)) {
    if (isSent(passed)) desk.take(passed)
    else if (passed.type === 'error') desk.refuse(passed)
    else desk.answer(passed)
  }
  return desk
}

const asksByItem = readOnce(
  (session: Session): ReadonlyMap<string, readonly Ask[]> =>
    Map.groupBy(itemsOf(session).asks, ({ kind, item }) => `${kind} ${item}`),
)

/**
 * Whether what looks like the answer may be a copy of what another connection was told: a service may tell all of them, and
 * nothing in an answer names what was asked. Not once as many answers came as were asked for.
 */
export function mayBeForAnother(session: Session, { kind, item, sent }: Ask, received: ReceivedEvent): boolean {
  if (item === undefined || session.connections.length < 2) return false
  const asked = (asksByItem(session).get(`${kind} ${item}`) ?? []).filter((one) => one.sent.line < received.line)
  if (asked.every((one) => one.sent.connection === sent.connection)) return false
  const told = received.connection.received.filter(
    (one) => one.line <= received.line && answersTo.get(one.type ?? '') === kind && itemIdIn(one) === item,
  )
  return told.length < asked.length
}

/** Keeps what waits for an answer, connection by connection. */
class Desk implements Items {
  readonly asks: Ask[] = []
  readonly unasked: Unasked[] = []
  readonly answered = new Map<ReceivedEvent, Ask>()
  readonly #session: Session
  readonly #bySent = new Map<SentEvent, Ask>()
  readonly #givenIds = new Set<string>()
  /** Items as they were announced, by id. */
  readonly #announced = new Map<string, ReceivedEvent[]>()
  readonly #waiting = new Map<Connection, Ask[]>()

  constructor(session: Session) {
    this.#session = session
  }

  take(sent: SentEvent): void {
    const kind = asksFor.get(sent.type ?? '')
    if (kind === undefined || !isDecided(sent)) return
    const item = itemIn(sent.event, kind)
    // For its id alone an event may be refused, whatever it asks for.
    const failed = hasLongId(sent)
    const ask: Ask = { sent, kind, item, answers: [], refused: undefined, denied: undefined, failed }
    this.asks.push(ask)
    this.#bySent.set(sent, ask)
    if (kind === 'create' && ask.item !== undefined) this.#givenIds.add(ask.item)
    for (const connection of this.#session.connections) this.#at(connection).push(ask)
  }

  refuse(error: ReceivedEvent): void {
    if (isNamelessFailure(error.event)) {
      for (const ask of this.#at(error.connection)) ask.failed ||= ask.sent.connection === error.connection
      return
    }
    const sent = toldBy(error)
    const ask = sent === undefined ? undefined : this.#bySent.get(sent)
    if (ask === undefined) return
    if (isOwnFailure(error.event)) {
      ask.failed = true
      return
    }
    if (ask.answers.length > 0) {
      ask.denied ??= error
      return
    }
    ask.refused ??= error
    for (const connection of this.#session.connections) remove(this.#at(connection), ask)
  }

  answer(received: ReceivedEvent): void {
    const kind = answersTo.get(received.type ?? '')
    if (kind === undefined) return
    const id = itemIdIn(received)
    const waiting = this.#at(received.connection)
    const ask = this.#find(received, kind, id)
    if (kind === 'create' && id !== undefined) this.#note(id, received)
    if (ask === undefined) {
      const here = waiting.filter((one) => one.kind === kind && one.sent.connection === received.connection)
      this.unasked.push({ received, kind, id: id ?? '', waiting: here })
      return
    }
    remove(waiting, ask)
    ask.answers.push(received)
    this.answered.set(received, ask)
  }

  /** The oldest that waits and fits; those over which the service failed last, and those of the connection itself first. */
  #find(received: ReceivedEvent, kind: Ask['kind'], id: string | undefined): Ask | undefined {
    const { opened } = received.connection
    // What was answered before this connection was there is told to it no more.
    const open = this.#at(received.connection)
      .filter((one) => one.kind === kind && (one.answers[0]?.line ?? opened.line) >= opened.line)
      .toSorted((one, other) => Number(one.failed) - Number(other.failed))
    const own = open.filter((one) => one.sent.connection === received.connection)
    const byId = (one: Ask): boolean => id !== undefined && one.item === id
    const item = objectAt(received.event, 'item')
    const alike = ({ sent }: Ask): boolean => {
      const wanted = objectAt(sent.event, 'item')
      // What has no type would be like everything.
      return wanted['type'] !== undefined && sameContent(wanted, item)
    }
    // An id may be brought again, and an `error` need not name which create it refused.
    const bring = kind === 'create' ? [own, open].map((asks) => asks.filter(byId).find(alike)) : []
    const exact = bring.find((one) => one !== undefined) ?? own.find(byId)
    // What a connection is told anew answers nothing that still waits elsewhere.
    if (exact === undefined && id !== undefined && this.#givenIds.has(id) && this.#isToldAnew(received, id))
      return undefined
    const other = exact ?? open.find(byId)
    if (other !== undefined || kind !== 'create' || this.#givenIds.has(id ?? '')) return other
    return own.find(alike) ?? open.find(alike)
  }

  #note(id: string, received: ReceivedEvent): void {
    const known = this.#announced.get(id)
    if (known === undefined) this.#announced.set(id, [received])
    else known.push(received)
  }

  /** Whether an item had been announced as it is shown here before this connection was there. */
  #isToldAnew({ connection, event, type }: ReceivedEvent, id: string): boolean {
    if (type !== 'conversation.item.created') return false
    const item = objectAt(event, 'item')
    return (this.#announced.get(id) ?? []).some(
      (one) => one.line < connection.opened.line && sameContent(objectAt(one.event, 'item'), item),
    )
  }

  #at(connection: Connection): Ask[] {
    const found = this.#waiting.get(connection)
    if (found !== undefined) return found
    const list: Ask[] = []
    this.#waiting.set(connection, list)
    return list
  }
}

function remove(list: Ask[], ask: Ask): void {
  const place = list.indexOf(ask)
  if (place >= 0) list.splice(place, 1)
}

function itemIn(event: JsonObject, kind: Ask['kind']): string | undefined {
  return kind === 'create' ? textAt(objectAt(event, 'item'), 'id') || undefined : textAt(event, 'item_id')
}

/** The item that an event is about. */
export function itemIdIn({ event, type }: ReceivedEvent): string | undefined {
  return type === 'conversation.item.deleted' ? textAt(event, 'item_id') : textAt(objectAt(event, 'item'), 'id')
}

/** Whether an item shows what another one holds: its type, role, texts and call (2.9). What may be filled in is not compared. */
export function sameContent(wanted: JsonObject, shown: JsonObject): boolean {
  const { type } = wanted
  if (!['type', ...fieldsOf(type)].every((name) => keeps(wanted, shown, name))) return false
  if (type === 'function_call') {
    // The `call_id` of a call is optional (2.9).
    if (shown['call_id'] !== undefined && !keeps(wanted, shown, 'call_id')) return false
    return typeof wanted['arguments'] !== 'string' || sameJson(wanted['arguments'], shown['arguments'])
  }
  const [parts, others] = [objectsAt(wanted, 'content'), objectsAt(shown, 'content')]
  return parts.length === others.length && parts.every((part, place) => samePart(part, others[place] ?? {}))
}

/** Texts of an item of this type that come back as they were sent; those of other types are fields that it does not have. */
function fieldsOf(type: Json | undefined): readonly string[] {
  if (type === 'function_call') return ['name']
  return type === 'function_call_output' ? ['call_id', 'output'] : ['role']
}

/** What is no text is a mistake of ours; a service that takes it all the same shows it as it likes. */
function keeps(wanted: JsonObject, shown: JsonObject, name: string): boolean {
  return typeof wanted[name] !== 'string' || sameText(wanted[name], shown[name])
}

/** Half of a surrogate pair is no text in Unicode: it may come back as U+FFFD. */
function sameText(wanted: Json | undefined, shown: Json | undefined): boolean {
  return wanted === shown || (typeof wanted === 'string' && wanted.toWellFormed() === shown)
}

/** JSON in a string may be written in another way. */
function sameJson(one: string, other: Json | undefined): boolean {
  if (one === other) return true
  try {
    return typeof other === 'string' && equal(JSON.parse(one) as Json, JSON.parse(other) as Json)
  } catch {
    return false
  }
}

/** Bytes and URLs may be left out or kept elsewhere, audio may gain a transcript, and `auto` is as the service decides. */
function samePart(wanted: JsonObject, shown: JsonObject): boolean {
  const detail = shown['detail'] ?? wanted['detail']
  if (wanted['detail'] !== undefined && wanted['detail'] !== 'auto' && wanted['detail'] !== detail) return false
  return wanted['type'] === shown['type'] && (wanted['text'] === undefined || sameText(wanted['text'], shown['text']))
}

/** Whether an item lacks the transcript of a sound with which it was shown before. */
export function losesTranscript(before: JsonObject, shown: JsonObject): boolean {
  const parts = objectsAt(shown, 'content')
  return objectsAt(before, 'content').some(
    ({ transcript }, place) => typeof transcript === 'string' && (parts[place]?.['transcript'] ?? null) === null,
  )
}

/** All text of a message. */
export function textOfItem(item: JsonObject): string {
  let text = ''
  for (const part of objectsAt(item, 'content')) text += textAt(part, 'text') ?? ''
  return text
}

/** Items that an event speaks of as there. */
export function itemsNamedIn({ type, event }: ReceivedEvent): readonly string[] {
  if (type === 'conversation.item.created' || type === 'conversation.item.deleted') return []
  const ids = [textAt(objectAt(event, 'item'), 'id')]
  for (const item of objectsAt(objectAt(event, 'response'), 'output')) ids.push(textAt(item, 'id'))
  ids.push(textAt(event, 'item_id'))
  return ids.filter((id) => id !== undefined)
}

/** Whole items in the `input` of a `response.create`, which may be written to the conversation under the ids that they have. */
export function broughtBy({ event }: SentEvent): readonly JsonObject[] {
  return objectsAt(objectAt(event, 'response'), 'input').filter(({ type }) => type !== 'item_reference')
}
