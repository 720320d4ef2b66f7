import { show } from '#judge/show'
import { isOutOfBand, livesOf } from '../model/existence.ts'
import { type Ask, itemIdIn, itemsNamedIn, itemsOf } from '../model/items.ts'
import { responsesOf } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type Connection, type ReceivedEvent, isDecided, type Session, sessionsOf } from '../model/sessions.ts'
import { rows } from '../rows.ts'
import { alone, isIdleAt } from './alone.ts'
import { changesOf, endOf, isOutside, isPutAnew, isUntold, unsettledBy } from './untold.ts'

const proves = rows({
  'item-created': 'previous-item-known',
  'item-create':
    'appended-when-omitted appended-names-last root-inserts-at-start inserted-after-named insertion-keeps-last',
  'item-delete': 'last-item-moves',
})

type Own = (typeof proves)[number]

/** Where `conversation.item.created` says that an item was put (4.4 `previous_item_id`). */
export const itemsOrder = ruleOf('items-order', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const order = new Order(session, say)
    for (const { connection, until } of alone(session)) {
      if (!order.goesOn(connection)) break
      for (const received of connection.received) if (received.line < until) order.take(received)
    }
  }
})

/** The conversation as the only connection of a session shows it. Items that were put while a response ran may stand in any order. */
class Order {
  readonly #session: Session
  readonly #say: Say<Own>
  /** In the order of the conversation; items of one group may stand in any order. */
  readonly #groups: string[][] = []
  readonly #deleted = new Map<string, ReceivedEvent>()
  readonly #inserted = new Set<string>()
  /** They stand in the last group, and may stand before it as well. */
  readonly #anywhere = new Set<string>()
  /** Output of a response that did not complete: whether it is kept is not said. */
  readonly #unsettled = new Set<string>()
  /** Output that was never announced: it may be the last item, or none. */
  readonly #loose = new Set<string>()
  readonly #seen = new Set<string>()
  /** The line at which an item was first announced. */
  readonly #announced = new Map<string, number>()
  /** A response runs, and something of ours was put meanwhile. */
  #fluid = false
  #mixed = false
  /** Items may come that nobody announces: of an opening, or of what a user says. */
  #leaky = false
  /** This is not the first connection: what is known may be told anew. */
  #goesOn = false
  /** The last item is one that was announced: what was put at the start only may stand before others. */
  #knowsEnd = false
  #lastDeleted: string | undefined
  readonly #begun: ReadonlyMap<ReceivedEvent, Response>
  readonly #running = new Set<Response>()
  readonly #asks: ReturnType<typeof changesOf>

  constructor(session: Session, say: Say<Own>) {
    this.#session = session
    this.#say = say
    this.#begun = new Map(
      responsesOf(session).flatMap((one) => [...one.created, ...one.done].map((received) => [received, one] as const)),
    )
    this.#asks = changesOf(session)
  }

  /**
   * Whether the order is known where a connection begins: nothing of before was on its way when the last one ended, and
   * nothing begins unasked meanwhile, as an opening may until the first response was asked for.
   */
  goesOn({ asked }: Connection): boolean {
    if (this.#seen.size === 0) return true
    // What is done while nobody listens is announced to nobody.
    this.#leaky = true
    this.#goesOn = true
    const open = [...this.#asks.keys()].some((ask) => ask.sent.line < asked.line && endOf(ask) > asked.line)
    return !open && this.#running.size === 0 && isIdleAt(this.#session, asked.line)
  }

  take(received: ReceivedEvent): void {
    for (const id of itemsNamedIn(received)) this.#seen.add(id)
    if (received.type === 'response.created') this.#begin(received)
    if (received.type === 'response.output_item.done' && !this.#has(idOf(received))) this.#loose.add(idOf(received))
    if (received.type?.startsWith('input_audio.') === true || received.type === 'session.bootstrap.opening.done')
      this.#leaky = true
    if (received.type === 'response.done') this.#finish(received)
    if (received.type === 'conversation.item.deleted') this.#delete(received)
    if (received.type !== 'conversation.item.created') return
    if (!isOutOfBand(this.#sourceOf(received))) this.#create(received)
  }

  #begin(received: ReceivedEvent): void {
    this.#mixed &&= this.#fluid
    this.#fluid = true
    const response = this.#begun.get(received)
    if (response !== undefined) this.#running.add(response)
    if (response?.origin.unasked === true) this.#leaky = true
  }

  #finish(received: ReceivedEvent): void {
    const response = this.#begun.get(received)
    if (response !== undefined) this.#running.delete(response)
    this.#fluid = this.#running.size > 0
    for (const id of unsettledBy(received, response)) if (this.#has(id)) this.#unsettled.add(id)
    this.#widen()
  }

  #create(received: ReceivedEvent): void {
    const id = itemIdIn(received) ?? ''
    const ask = itemsOf(this.#session).answered.get(received)
    // Told again, to another connection: it stands where it stood.
    const isCopy = ask === undefined ? this.#goesOn : ask.answers[0] !== received
    if (isCopy && this.#has(id)) return
    const late = this.#sourceOf(received)?.done.some(({ line }) => line < received.line) === true
    // What was deleted before it was announced is gone.
    if (late && this.#deleted.has(id)) return
    // An empty one is none.
    const told = received.event['previous_item_id']
    const previous = told === '' ? null : told
    if (isDecided(received) && (previous === null || typeof previous === 'string')) {
      this.#judgeKnown(received, previous)
      if (ask !== undefined && this.#isAlone(ask, received) && !this.#has(id)) this.#judgePlace(ask, received, previous)
    }
    this.#deleted.delete(id)
    this.#loose.delete(id)
    this.#seen.add(id)
    const crossed = ask !== undefined && this.#isCrossed(ask)
    if (!this.#announced.has(id)) this.#announced.set(id, received.line)
    const wanted = ask?.sent.event['previous_item_id']
    const appended = wanted === undefined || wanted === null
    if ((ask?.item !== undefined && this.#has(id)) || (appended && (crossed || late))) this.#mayBeLast(id)
    else if (appended) this.#put(id, ask !== undefined)
    else this.#insert(id, wanted)
  }

  /** Behind the named item, which may be the last one; one behind an item that nobody knows may be anywhere. */
  #insert(id: string, wanted: unknown): void {
    const place = wanted === 'root' ? -1 : this.#groups.findIndex((group) => group.includes(String(wanted)))
    const group = this.#groups[place]
    if (wanted !== 'root' && (place < 0 || this.#unsettled.has(String(wanted)))) {
      this.#mayBeLast(id)
      return
    }
    const isLast = place === this.#groups.length - 1
    if (!isLast) this.#inserted.add(id)
    if (group !== undefined && (group.length > 1 || (isLast && this.#fluid))) group.push(id)
    else this.#groups.splice(place + 1, 0, [id])
  }

  #mayBeLast(id: string): void {
    this.#knowsEnd = true
    this.#anywhere.add(id)
    const last = this.#groups.at(-1)
    if (last === undefined) this.#groups.push([id])
    else if (!last.includes(id)) last.push(id)
  }

  /** The first item that is appended may follow one that was there from the start, whatever was put before that one. */
  #judgeKnown(received: ReceivedEvent, previous: string | null): void {
    const row = 'item-created.previous-item-known'
    const id = itemIdIn(received)
    if (previous === null || previous === 'root') {
      this.#say.held(row, received)
      return
    }
    const gone = this.#deleted.get(previous)
    if (gone !== undefined) {
      // Confirmations may cross: the item was put while the other one was there, or after that was put anew.
      if (gone.line < this.#askedAt(received) && !isPutAnew([...this.#asks.keys()], previous, gone, received))
        this.#say.broken(row, 'an item of the conversation', `${show(previous)}, which was deleted`, gone, received)
    } else if (previous === id) this.#say.broken(row, 'another item', show(previous), received)
    else if (isOutside(this.#session, previous))
      this.#say.broken(row, 'an item of the conversation', `${show(previous)}, which is out of band`, received)
    else if (this.#seen.has(previous)) this.#say.held(row, received)
    else if (this.#mayBeUntold(received, previous)) this.#seen.add(previous)
    else this.#say.broken(row, 'an item of the conversation', `${show(previous)}, which nobody named`, received)
  }

  /** An item that nobody named yet: what a response that runs puts out may be announced later. */
  #mayBeUntold(received: ReceivedEvent, previous: string): boolean {
    if (!this.#knowsEnd || this.#leaky || this.#running.size > 0) return true
    return isUntold(this.#session, [...this.#asks.keys()], previous, received)
  }

  /**
   * The line from which on an announced item can have been put: that of our create, or of what may have asked for its
   * response; the first one where nobody asked.
   */
  #askedAt(received: ReceivedEvent): number {
    const ask = itemsOf(this.#session).answered.get(received)
    const [first] = this.#sourceOf(received)?.origin.candidates ?? []
    return (ask ?? first)?.sent.line ?? 0
  }

  /** The response that put the item out. */
  #sourceOf(received: ReceivedEvent): Response | undefined {
    return livesOf(this.#session).get(itemIdIn(received) ?? '')?.response
  }

  /** Whether the last item was announced while this one was on its way: it may stand before or behind it. */
  #isCrossed({ sent }: Ask): boolean {
    return (this.#groups.at(-1) ?? []).some((id) => (this.#announced.get(id) ?? 0) > sent.line)
  }

  #judgePlace(ask: Ask, received: ReceivedEvent, previous: string | null): void {
    const wanted = ask.sent.event['previous_item_id']
    if (wanted === undefined) this.#judgeAppended(ask, received, previous)
    else if (wanted === 'root') {
      const row = 'item-create.root-inserts-at-start'
      const good = previous === null || previous === 'root'
      this.#say.judge(row, good, 'no item before it', () => show(previous), ask.sent, received)
    } else if (typeof wanted === 'string' && this.#has(wanted) && !this.#unsettled.has(wanted)) {
      const [row, good] = ['item-create.inserted-after-named', previous === wanted] as const
      this.#say.judge(row, good, show(wanted), () => show(previous), ask.sent, received)
    }
  }

  #judgeAppended(ask: Ask, received: ReceivedEvent, previous: string | null): void {
    const last = this.#groups.at(-1) ?? []
    if (previous === null) {
      this.#say.open('item-create.appended-when-omitted', 'the item before is not told', received)
      const isEmpty = last.every((one) => this.#unsettled.has(one))
      if (!isEmpty && !this.#fluid && !this.#isCrossed(ask)) this.#nameLast(false, ask, received, last)
      return
    }
    if (this.#deleted.has(previous)) {
      if (previous === this.#lastDeleted)
        this.#say.broken('item-delete.last-item-moves', 'the item before it', show(previous), received)
      return
    }
    if (this.#loose.has(previous)) return
    if (last.includes(previous)) {
      this.#inserted.delete(previous)
      this.#say.held('item-create.appended-when-omitted', ask.sent, received)
      this.#nameLast(true, ask, received, last)
      if (this.#inserted.size > 0) this.#say.held('item-create.insertion-keeps-last', ask.sent, received)
      if (this.#lastDeleted !== undefined) this.#say.held('item-delete.last-item-moves', ask.sent, received)
      return
    }
    if (!this.#has(previous) || this.#fluid || this.#isCrossed(ask)) return
    this.#say.broken('item-create.appended-when-omitted', show(last[0]), show(previous), ask.sent, received)
    if (this.#inserted.has(previous)) {
      this.#say.broken('item-create.insertion-keeps-last', show(last[0]), show(previous), ask.sent, received)
    }
  }

  #nameLast(good: boolean, ask: Ask, received: ReceivedEvent, last: readonly string[]): void {
    this.#say.saw('item-created.append-previous', good ? 'the last item' : 'null', received)
    this.#say.judge('item-create.appended-names-last', good, () => show(last[0]), 'null', ask.sent, received)
  }

  /** Nothing else was on its way that may have come between. */
  #isAlone(ask: Ask, received: ReceivedEvent): boolean {
    const { latest, next } = this.#asks.get(ask) ?? { latest: Number.POSITIVE_INFINITY, next: undefined }
    return latest < ask.sent.line && (next === undefined || next.sent.line > received.line)
  }

  #has(id: string): boolean {
    return this.#groups.some((group) => group.includes(id))
  }

  #put(id: string, ours: boolean): void {
    this.#knowsEnd = true
    for (const group of this.#groups) if (group.includes(id)) group.splice(group.indexOf(id), 1)
    const last = this.#groups.at(-1)
    if (ours && this.#fluid) this.#mixed = true
    if (this.#fluid && last !== undefined && this.#mixed) last.push(id)
    else this.#groups.push([id])
  }

  #delete(received: ReceivedEvent): void {
    const id = itemIdIn(received) ?? ''
    this.#lastDeleted = this.#groups.at(-1)?.includes(id) === true ? id : undefined
    this.#deleted.set(id, received)
    for (const group of this.#groups) if (group.includes(id)) group.splice(group.indexOf(id), 1)
    this.#inserted.delete(id)
    this.#loose.delete(id)
    this.#unsettled.delete(id)
    while (this.#groups.at(-1)?.length === 0) this.#groups.pop()
    this.#widen()
    if (this.#groups.length === 0) this.#knowsEnd = false
  }

  /** Where nothing is left at the end but what may stand elsewhere, what stood before may be the last item. */
  #widen(): void {
    let last = this.#groups.at(-1) ?? []
    while (this.#groups.length > 1 && last.every((id) => this.#anywhere.has(id) || this.#unsettled.has(id))) {
      this.#groups.pop()
      last = [...(this.#groups.pop() ?? []), ...last]
      this.#groups.push(last)
    }
  }
}

const idOf = (received: ReceivedEvent): string => itemIdIn(received) ?? ''
