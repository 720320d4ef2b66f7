import { show } from '#judge/show'
import { type Ask, itemIdIn, itemsOf } from '../model/items.ts'
import { type Response, responsesOf } from '../model/responses.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type Came, isDecided, objectsAt, objectAt, type Session, sessionsOf, textAt } from '../model/sessions.ts'
import { rows } from '../rows.ts'

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
    const [connection, other] = session.connections.toSorted((one, next) => one.opened.line - next.opened.line)
    const order = new Order(session, say)
    for (const came of connection?.came ?? [])
      if (other === undefined || came.line < other.opened.line) order.take(came)
  }
})

/** The conversation as the first connection shows it while it is the only one. Items that were put while a response ran may stand in any order. */
class Order {
  readonly #session: Session
  readonly #say: Say<Own>
  /** Oldest first; items of one group may stand in any order. */
  readonly #groups: string[][] = []
  readonly #deleted = new Map<string, Came>()
  readonly #inserted = new Set<string>()
  readonly #seen = new Set<string>()
  /** A response runs, and something of ours was put meanwhile. */
  #fluid = false
  #mixed = false
  /** Items may come that nobody announces: of an opening, or of what a user says. */
  #leaky = false
  #lastDeleted: string | undefined
  readonly #begun: ReadonlyMap<Came, Response>
  readonly #running = new Set<Response>()
  /** Creates and deletes of ours, each with the latest end of those before it. */
  readonly #asks = new Map<Ask, { readonly latest: number; readonly next: Ask | undefined }>()

  constructor(session: Session, say: Say<Own>) {
    this.#session = session
    this.#say = say
    this.#begun = new Map(
      responsesOf(session).flatMap((one) => [...one.created, ...one.done].map((came) => [came, one] as const)),
    )
    const asks = itemsOf(session).asks.filter(({ kind }) => kind !== 'retrieve')
    let latest = 0
    for (const [place, ask] of asks.entries()) {
      this.#asks.set(ask, { latest, next: asks[place + 1] })
      latest = Math.max(latest, endOf(ask))
    }
  }

  take(came: Came): void {
    for (const id of namedIn(came)) this.#seen.add(id)
    if (came.type === 'response.created') this.#begin(came)
    if (came.type === 'response.output_item.done') this.#groups.at(-1)?.push(idOf(came))
    if (came.type?.startsWith('input_audio.') === true || came.type === openingDone) this.#leaky = true
    if (came.type === 'response.done') this.#finish(came)
    if (came.type === 'conversation.item.deleted') this.#delete(came)
    if (came.type === 'conversation.item.created') this.#create(came)
  }

  #begin(came: Came): void {
    this.#mixed &&= this.#fluid
    this.#fluid = true
    const response = this.#begun.get(came)
    if (response !== undefined) this.#running.add(response)
    if (response?.origin.unasked === true) this.#leaky = true
  }

  #finish(came: Came): void {
    const response = this.#begun.get(came)
    if (response !== undefined) this.#running.delete(response)
    this.#fluid = this.#running.size > 0
  }

  #create(came: Came): void {
    const id = itemIdIn(came) ?? ''
    const ask = itemsOf(this.#session).answered.get(came)
    const previous = came.event['previous_item_id']
    if (isDecided(came) && (previous === null || typeof previous === 'string')) {
      this.#judgeKnown(came, previous)
      if (ask !== undefined && this.#isAlone(ask, came)) this.#judgePlace(ask, came, previous)
    }
    this.#deleted.delete(id)
    this.#seen.add(id)
    const wanted = ask?.sent.event['previous_item_id']
    if (wanted === undefined || wanted === null) this.#put(id, ask !== undefined)
    else this.#inserted.add(id)
  }

  /** The first item may follow one that was there from the start. */
  #judgeKnown(came: Came, previous: string | null): void {
    const row = 'item-created.previous-item-known'
    const id = itemIdIn(came)
    if (previous === null || previous === 'root') {
      this.#say.held(row, came)
      return
    }
    const gone = this.#deleted.get(previous)
    if (gone !== undefined)
      this.#say.broken(row, 'an item of the conversation', `${show(previous)}, which was deleted`, gone, came)
    else if (previous === id) this.#say.broken(row, 'another item', show(previous), came)
    else if (this.#seen.has(previous)) this.#say.held(row, came)
    else if (this.#groups.length === 0 || this.#leaky || this.#hasInline(came)) this.#seen.add(previous)
    else this.#say.broken(row, 'an item of the conversation', `${show(previous)}, which nobody named`, came)
  }

  /** Whether complete items of a `response.create` may have been written, which need not be announced. */
  #hasInline({ line }: Came): boolean {
    return this.#session.sent.some((sent) => {
      const input = objectsAt(objectAt(sent.event, 'response'), 'input')
      return sent.line < line && input.some(({ type }) => type !== 'item_reference')
    })
  }

  #judgePlace(ask: Ask, came: Came, previous: string | null): void {
    const wanted = ask.sent.event['previous_item_id']
    if (wanted === undefined) this.#judgeAppended(ask, came, previous)
    else if (wanted === 'root') {
      const good = previous === null || previous === 'root'
      this.#say.judge(
        'item-create.root-inserts-at-start',
        good,
        'no item before it',
        () => show(previous),
        ask.sent,
        came,
      )
    } else if (typeof wanted === 'string' && this.#has(wanted)) {
      const row = 'item-create.inserted-after-named'
      this.#say.judge(row, previous === wanted, show(wanted), () => show(previous), ask.sent, came)
    }
  }

  #judgeAppended(ask: Ask, came: Came, previous: string | null): void {
    const last = this.#groups.at(-1) ?? []
    if (previous === null) {
      this.#say.open('item-create.appended-when-omitted', 'the item before is not told', came)
      if (last.length > 0 && !this.#fluid) this.#nameLast(false, ask, came, last)
      return
    }
    if (this.#deleted.has(previous)) {
      if (previous === this.#lastDeleted)
        this.#say.broken('item-delete.last-item-moves', 'the item before it', show(previous), came)
      return
    }
    if (last.includes(previous)) {
      this.#say.held('item-create.appended-when-omitted', ask.sent, came)
      this.#nameLast(true, ask, came, last)
      if (this.#inserted.size > 0) this.#say.held('item-create.insertion-keeps-last', ask.sent, came)
      if (this.#lastDeleted !== undefined) this.#say.held('item-delete.last-item-moves', ask.sent, came)
      return
    }
    if (!this.#has(previous) || this.#fluid) return
    this.#say.broken('item-create.appended-when-omitted', show(last[0]), show(previous), ask.sent, came)
    if (this.#inserted.has(previous)) {
      this.#say.broken('item-create.insertion-keeps-last', show(last[0]), show(previous), ask.sent, came)
    }
  }

  #nameLast(good: boolean, ask: Ask, came: Came, last: readonly string[]): void {
    this.#say.saw('item-created.append-previous', good ? 'the last item' : 'null', came)
    this.#say.judge('item-create.appended-names-last', good, show(last[0]), () => 'null', ask.sent, came)
  }

  /** Nothing else was on its way that may have come between. */
  #isAlone(ask: Ask, came: Came): boolean {
    const { latest, next } = this.#asks.get(ask) ?? { latest: Number.POSITIVE_INFINITY, next: undefined }
    return latest < ask.sent.line && (next === undefined || next.sent.line > came.line)
  }

  #has(id: string): boolean {
    return this.#inserted.has(id) || this.#groups.some((group) => group.includes(id))
  }

  #put(id: string, ours: boolean): void {
    for (const group of this.#groups) if (group.includes(id)) group.splice(group.indexOf(id), 1)
    const last = this.#groups.at(-1)
    if (ours && this.#fluid) this.#mixed = true
    if (this.#fluid && last !== undefined && this.#mixed) last.push(id)
    else this.#groups.push([id])
  }

  #delete(came: Came): void {
    const id = itemIdIn(came) ?? ''
    this.#lastDeleted = this.#groups.at(-1)?.includes(id) === true ? id : undefined
    this.#deleted.set(id, came)
    for (const group of this.#groups) if (group.includes(id)) group.splice(group.indexOf(id), 1)
    this.#inserted.delete(id)
    while (this.#groups.at(-1)?.length === 0) this.#groups.pop()
  }
}

function endOf({ answers, refused }: Ask): number {
  return answers[0]?.line ?? refused?.line ?? Number.POSITIVE_INFINITY
}

const openingDone = 'session.bootstrap.opening.done'

function idOf(came: Came): string {
  return textAt(objectAt(came.event, 'item'), 'id') ?? ''
}

/** Items that an event speaks of as there. */
function namedIn({ type, event }: Came): readonly string[] {
  if (type === 'conversation.item.created' || type === 'conversation.item.deleted') return []
  const output = objectsAt(objectAt(event, 'response'), 'output')
  return [objectAt(event, 'item'), ...output]
    .flatMap((item) => textAt(item, 'id') ?? [])
    .concat(textAt(event, 'item_id') ?? [])
}
