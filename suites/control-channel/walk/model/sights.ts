import { isOwnFailure } from '#judge/conditions/own-failure'
import type { Moment } from '#judge/conditions/points'
import { inOrder, isSent, causeOf } from '../../model/additions.ts'
import { mayBeEndOfSession } from '../../model/disturbance.ts'
import { itemsOf, mayBeForAnother } from '../../model/items.ts'
import { ownersOf, responsesOf } from '../../model/responses.ts'
import type { Origin } from '../../model/response.ts'
import { isKnown } from '../../model/watch.ts'
import { requestOf } from '../../model/script.ts'
import {
  type ChannelEvent,
  isDecided,
  objectAt,
  type ReceivedEvent,
  type SentEvent,
  type Session,
  textAt,
} from '../../model/sessions.ts'
import { type Answers, answersIn, endsOf, isAsked, isOfResponses } from './answers.ts'
import { isChange, isPlain, isUnheardInText } from './plain.ts'
import type { Request, Sight } from './scheduler.ts'

/** A sight of the scheduler, and the event in which it shows. */
export interface Seen {
  readonly sight: Sight
  readonly at: ChannelEvent
}

/** What a session shows of its scheduling, and the requests by their numbers. */
export interface Story {
  readonly seen: readonly Seen[]
  readonly asked: readonly SentEvent[]
}

/** A request, and when it is surely handled. */
type Handled = Pick<SentEvent, 'connection' | 't'> & { readonly id: number }

/** A request may be handled more slowly than what was sent behind it, in milliseconds; beside the slowest start. */
const leastGraceMs = 250

/**
 * Reads what a session shows of its scheduling, up to where that cannot be told any more: a response that may come of no
 * request of ours, or of any of several, an `error` that names no event, a server's own failure, the end of a connection that
 * asked and was not answered in full.
 *
 * @param patience_ms for how long nothing must have come
 */
export function storyOf(session: Session, patience_ms: number): Story {
  const reader = new Reader(session, patience_ms)
  for (const passed of inOrder(session)) {
    if (reader.isOver(passed)) break
    if (!reader.take(passed)) return reader
  }
  reader.end()
  return reader
}

class Reader implements Story {
  readonly seen: Seen[] = []
  readonly asked: SentEvent[] = []
  readonly #session: Session
  readonly #patience_ms: number
  /** Up to here what was asked must be answered. */
  readonly #until: Moment
  readonly #origins = new Map<ReceivedEvent, Origin>()
  /** Starts of which it is sure which request they come of. */
  readonly #known = new Set<ReceivedEvent>()
  readonly #texts = new Map<ReceivedEvent, Origin>()
  readonly #answers: Answers
  /** What its response ended for as neither `failed` nor `cancelled`. */
  readonly #well = new Set<SentEvent>()
  readonly #numbers = new Map<SentEvent, number>()
  readonly #created = new Set<Origin>()
  readonly #done = new Set<Origin>()
  readonly #refused = new Set<SentEvent>()
  readonly #handled: Handled[] = []
  /** What was sent while nothing was active, as far as we knew. */
  readonly #prompt = new Set<SentEvent>()
  /** Nothing that was sent behind it was answered yet: what is so is handled soon, though a later one may overtake it. */
  readonly #unconfirmed = new Set<SentEvent>()
  /** By connection, what is handled before whatever is sent from now on: the requests in the order in which that was sure. */
  readonly #read = new Map<SentEvent['connection'], Map<number, number>>()
  /** Something was handled since text came, or refused on a connection: what goes on speaking there has not ended for it. */
  #news: ReceivedEvent['connection'] | boolean = false
  #grace_ms: number
  /** Texts that were taken since the session was updated last, and the length of the longest of all. */
  readonly #taken = new Set<string>()
  #longest = 0
  /** When responses were last spoken of. */
  #last: number | undefined

  constructor(session: Session, patience_ms: number) {
    this.#session = session
    this.#patience_ms = patience_ms
    this.#grace_ms = Number.isFinite(patience_ms) ? leastGraceMs : patience_ms
    this.#answers = answersIn(session)
    const ends = endsOf(session, this.#answers).toSorted((one, other) => one.line - other.line)
    this.#until = ends[0] ?? { line: 0, t: 0 }
    for (const one of responsesOf(session)) {
      const { created, done, items, origin } = one
      if (isKnown(one)) for (const event of created) this.#known.add(event)
      for (const event of [...created, ...done]) this.#origins.set(event, origin)
      if (origin.request !== undefined && done.some(endsWell)) this.#well.add(origin.request.sent)
      for (const { deltas } of items.values()) for (const delta of deltas) this.#texts.set(delta, origin)
    }
  }

  isOver(passed: ChannelEvent): boolean {
    return !isDecided(passed) || passed.line >= this.#until.line
  }

  end(): void {
    const last = this.seen.at(-1)?.at
    if (last !== undefined) this.#settle({ ...last, t: this.#until.t }, last.line + 1)
  }

  /** @returns whether what follows can be told, too */
  take(passed: SentEvent | ReceivedEvent): boolean {
    this.#settle(passed)
    if (isSent(passed)) {
      if (passed.type === 'session.update') this.#taken.clear()
      return !(isAsked(passed) || this.#deletesOutput(passed)) || this.#ask(passed)
    }
    if (passed.type === 'session.update.done') return this.#endUpdate(passed)
    if (passed.type?.startsWith('response.') === true) this.#last = passed.t
    if (passed.type === 'response.output_text.delta') {
      this.#speak(passed)
      return true
    }
    if (passed.type === 'response.created') return this.#begin(passed)
    if (passed.type === 'response.done') return this.#finish(passed)
    if (passed.type === 'error') return this.#refuse(passed)
    this.#confirm(passed)
    return passed.type?.startsWith('input_audio.') !== true
  }

  /**
   * What is sure by the time of an event.
   *
   * @param next the first line that is still to come
   */
  #settle(at: ChannelEvent, next = at.line): void {
    for (const one of this.#handled.filter(({ t }) => t < at.t)) {
      this.#handled.splice(this.#handled.indexOf(one), 1)
      this.#markRead(one)
      this.seen.push({ sight: { saw: 'handled', id: one.id }, at })
      this.#news = true
    }
    const idle = this.#created.size === this.#done.size
    if (!idle || this.#last === undefined || at.t - this.#last < this.#patience_ms) return
    // What comes late comes all the same.
    if (this.#answers.nameless >= next) return
    if (this.asked.some((sent) => (this.#answers.first.get(sent) ?? 0) >= next)) return
    this.#last = undefined
    this.seen.push({ sight: { saw: 'silence' }, at })
  }

  /** An item of a response that is not done. */
  #deletesOutput({ type, event, line }: SentEvent): boolean {
    if (type !== 'conversation.item.delete') return false
    return ownersOf(this.#session, textAt(event, 'item_id') ?? '').some(
      ({ done: [done] }) => (done?.line ?? Number.POSITIVE_INFINITY) > line,
    )
  }

  #ask(sent: SentEvent): boolean {
    const request = this.#requestOf(sent)
    if (request === undefined) return false
    if (isOfResponses(sent)) this.#last = sent.t
    if (this.#created.size === this.#done.size) this.#prompt.add(sent)
    this.asked.push(sent)
    this.#numbers.set(sent, request.id)
    // An update may be looked at when no response is active.
    if (sent.type !== 'session.update') this.#unconfirmed.add(sent)
    this.seen.push({ sight: { saw: 'sent', request }, at: sent })
    return true
  }

  #requestOf(sent: SentEvent): Request | undefined {
    const id = this.asked.length
    const behind = this.#readBefore(sent)
    if (sent.type === 'response.cancel') return { id, policy: 'cancel', sound: false, behind, mayClear: false }
    if (isChange(sent)) return { id, policy: 'update', sound: false, behind: new Set(), mayClear: false }
    if (sent.id === undefined || this.#session.byId.get(sent.id)?.length !== 1) return undefined
    const { policy, texts } = requestOf(sent)
    const [text = ''] = texts ?? []
    // In a recording, others wrote the texts: any may be refused for what it says, but for what was taken before.
    const fits = this.#session.recorded ? this.#taken.has(text) : text.length <= this.#longest
    const ignorable = isUnheardInText(sent)
    const mayClear = !this.#well.has(sent)
    return { id, policy, sound: isPlain(sent) && text !== '' && fits, ignorable, behind, mayClear }
  }

  #markRead({ id, connection }: Handled): void {
    const read = this.#read.get(connection) ?? new Map<number, number>()
    this.#read.set(connection, read.set(id, read.size))
  }

  /** All requests share the list of their connection, and each knows how long it was then. */
  #readBefore({ connection }: SentEvent): Request['behind'] {
    const read = this.#read.get(connection)
    const count = read?.size ?? 0
    return { has: (id) => (read?.get(id) ?? count) < count }
  }

  #begin(created: ReceivedEvent): boolean {
    const origin = this.#origins.get(created)
    const id = this.#numberOf(origin)
    const request = origin?.request
    const named = textAt(created.event, 'request_event_id') || undefined
    if (origin === undefined || id === undefined || request === undefined) return false
    if (!this.#known.has(created) || (named ?? request.sent.id) !== request.sent.id) return false
    if (this.#created.has(origin)) return true
    if (this.#prompt.has(request.sent)) this.#time(request.sent, created)
    this.#created.add(origin)
    const [text = ''] = request.texts ?? []
    if (isPlain(request.sent)) {
      this.#longest = Math.max(this.#longest, text.length)
      this.#taken.add(text)
    }
    this.seen.push({ sight: { saw: 'created', id }, at: created })
    return true
  }

  /** The first text behind what is sure to have been handled, or was refused; more of it tells nothing. */
  #speak(delta: ReceivedEvent): void {
    const origin = this.#texts.get(delta)
    const id = this.#numberOf(origin)
    // Behind its end it is that of another connection.
    if (this.#news !== true && this.#news !== delta.connection) return
    if (origin === undefined || id === undefined || this.#done.has(origin)) return
    this.#news = false
    this.seen.push({ sight: { saw: 'text', id }, at: delta })
  }

  /** What starts slowly may be handled slowly. */
  #time(sent: SentEvent, created: ReceivedEvent): void {
    this.#grace_ms = Math.max(this.#grace_ms, leastGraceMs + 2 * (created.t - sent.t))
  }

  #finish(done: ReceivedEvent): boolean {
    const origin = this.#origins.get(done)
    const id = this.#numberOf(origin)
    if (origin === undefined || id === undefined || !this.#created.has(origin)) return false
    if (this.#done.has(origin)) return true
    this.#done.add(origin)
    const status = statusOf(done)
    // "The service may also close a session" (3.1): what it cuts short with it, no request cut short.
    if (status === 'cancelled' && mayBeEndOfSession(done)) return false
    this.seen.push({ sight: { saw: 'done', id, status }, at: done })
    return true
  }

  #refuse(error: ReceivedEvent): boolean {
    const [sent] = this.#session.byId.get(causeOf(error) ?? '') ?? []
    if (sent === undefined || isOwnFailure(error.event)) return false
    const id = this.#numbers.get(sent)
    if (id === undefined || this.#refused.has(sent) || sent.type === 'response.cancel') return true
    this.#refused.add(sent)
    if (isChange(sent)) return this.#settleUpdate(sent, error)
    this.#last = error.t
    // One that has begun may fail, and say so.
    if ([...this.#created].some(({ request }) => request?.sent === sent)) return false
    this.seen.push({ sight: { saw: 'error', id }, at: error })
    if (this.#news !== true) this.#news = error.connection
    return true
  }

  #endUpdate(done: ReceivedEvent): boolean {
    const [sent] = this.#session.byId.get(textAt(done.event, 'request_event_id') ?? '') ?? []
    return sent === undefined || this.#settleUpdate(sent, done)
  }

  /** What an update did to the active response is done when the update is over. */
  #settleUpdate(sent: SentEvent, at: ReceivedEvent): boolean {
    const id = this.#numbers.get(sent)
    if (id !== undefined && isChange(sent)) this.seen.push({ sight: { saw: 'handled', id }, at })
    return true
  }

  /** An answer to something that was sent later on the same connection: what was sent before it was read. */
  #confirm(received: ReceivedEvent): void {
    const ask = itemsOf(this.#session).answered.get(received)
    if (ask === undefined || mayBeForAnother(this.#session, ask, received)) return
    if (ask.kind === 'delete') this.#settleUpdate(ask.sent, received)
    for (const sent of this.#unconfirmed) {
      const id = this.#numbers.get(sent)
      if (id === undefined || sent.connection !== ask.sent.connection || sent.line > ask.sent.line) continue
      this.#unconfirmed.delete(sent)
      this.#handled.push({ id, connection: sent.connection, t: received.t + this.#grace_ms })
    }
  }

  #numberOf(origin: Origin | undefined): number | undefined {
    return origin?.request === undefined ? undefined : this.#numbers.get(origin.request.sent)
  }
}

const endsWell = (done: ReceivedEvent): boolean => !/^(?:failed|cancelled)$/.test(statusOf(done))
const statusOf = ({ event }: ReceivedEvent): string => textAt(objectAt(event, 'response'), 'status') ?? ''
