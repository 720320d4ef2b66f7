import { draw } from '#arbitraries/draw'
import { faultsOf } from '#arbitraries/channel/faults'
import { conversationItem, unknownFields } from '#arbitraries/channel/items'
import { type Walk } from '#scenario/author/walk'
import { event } from '#trace/conditions'
import { at, isObject, type Json, type JsonObject, textAt } from '#trace/json'
import { speech, userMessage } from '../bodies.ts'
import { created, deleted, makeItem, retrieve } from '../items/items.ts'
import { story } from '../responses/busy.ts'
import { quiet, respond } from '../responses/responses.ts'
import { errorAbout } from '../error-about.ts'
import type { Talk } from '../talk.ts'
import { withMedia } from './messages.ts'
import { type Operation, optionsAt, type Shelf, shelfPairs, without } from './shelf.ts'

/** A connection to a session, and how another one is opened. */
interface Conversation {
  readonly talk: Talk
  readonly connect: () => Promise<Talk>
}

/** So many different items; then they come again. */
const kinds = 40

/** Characters of a speech that is to be cut short. */
const lengthOfCut = 400

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []

/** Items of one conversation, put in, taken out and looked at in any order. The rules of the part judge them. */
export class Items implements Walk<Shelf, Operation> {
  readonly name = 'items of a conversation'
  readonly pairs = shelfPairs
  readonly options = optionsAt
  readonly #connect: () => Promise<Talk>
  #talk: Talk
  readonly #drawn: readonly JsonObject[]
  readonly #beside: readonly JsonObject[]
  readonly #given = new Set<string>()
  #next = 0
  /** The item that is kept: its retrieval shows that what was sent before was read. */
  #kept = ''

  constructor({ talk, connect }: Conversation, seed: number) {
    this.#talk = talk
    this.#connect = connect
    this.#drawn = draw(conversationItem, seed, kinds)
    this.#beside = draw(unknownFields, seed, kinds)
  }

  /** The connection that is spoken on now. */
  get talk(): Talk {
    return this.#talk
  }

  async begin(): Promise<Shelf> {
    const { id = '' } = await makeItem(this.#talk, userMessage('I stay where I am.'))
    this.#kept = id
    return { items: [id], gone: [], last: 'an append' }
  }

  /** Looks at all that is there and at what was deleted, and appends once more. */
  async drain({ items, gone }: Shelf): Promise<void> {
    for (const id of items.slice(0, 30)) await retrieve(this.#talk, id)
    for (const id of gone.slice(-15)) await this.#seek(id)
    await this.#create({}, {})
  }

  readonly perform = async (operation: Operation, shelf: Shelf): Promise<Shelf> => {
    if (this.#talk.channel.state !== 'open') return shelf
    if (operation === 'delete the output of a call') return this.#deleteOutput(shelf)
    if (operation.startsWith('generate')) return this.#generate(operation, shelf)
    if (operation === 'append a call and its output') return this.#call(shelf)
    if (operation === 'append with media') return this.#insert(shelf, undefined, withMedia(this.#talk.context))
    if (operation === 'ask about a deleted one') return this.#askAbout(shelf)
    if (operation.startsWith('delete')) return this.#delete(operation, shelf)
    if (operation.startsWith('retrieve')) return this.#retrieve(operation, shelf)
    if (operation.startsWith('speak')) return this.#speak(operation, shelf)
    if (operation === 'cut one out of band') return this.#cutAside(shelf)
    if (operation === 'reconnect') return this.#reconnect(shelf)
    return this.#put(operation, shelf)
  }

  async #put(operation: Operation, shelf: Shelf): Promise<Shelf> {
    const { items, gone } = shelf
    const own = this.#talk.context.id('item')
    this.#given.add(own)
    const after = (place: number) => this.#insert(shelf, items.at(place) ?? 'root', { id: own })
    switch (operation) {
      case 'append':
        return this.#insert(shelf, undefined, {})
      case 'append with an id':
        return this.#insert(shelf, undefined, { id: own })
      case 'insert at the root':
        return this.#insert(shelf, 'root', {})
      case 'insert after the first':
        return after(0)
      case 'insert in the middle':
        return after(Math.floor(items.length / 2))
      case 'insert after the last':
        return after(-1)
      case 'insert after a deleted one':
        await this.#create({}, { previous_item_id: gone.at(-1) ?? '' })
        // Where it lands is not said.
        return { ...shelf, last: 'an insertion' }
      case 'bring an id again':
        await this.#create({ id: this.#ours(items) ?? own }, {})
        return shelf
      case 'bring a deleted id again': {
        const again = this.#ours(gone) ?? own
        return this.#bringBack(shelf, again)
      }
      default:
        await this.#fault()
        return shelf
    }
  }

  /** It is a new item, wherever it stands. */
  async #bringBack(shelf: Shelf, id: string): Promise<Shelf> {
    const gone = shelf.gone.filter((one) => one !== id)
    const made = await this.#create({ id }, {})
    if (made !== id) return { ...shelf, gone }
    await retrieve(this.#talk, id)
    return { ...shelf, gone, items: [...shelf.items, id], last: 'an append', newest: id }
  }

  /** What was said and done on a connection is so on the next one. */
  async #reconnect(shelf: Shelf): Promise<Shelf> {
    await this.#talk.channel.close()
    this.#talk = await this.#connect()
    await retrieve(this.#talk, this.#kept)
    const gone = shelf.gone.at(-1)
    if (gone !== undefined) await this.#seek(gone)
    return shelf
  }

  /** A response that is out of band writes nothing, whatever ends it. */
  async #cutAside(shelf: Shelf): Promise<Shelf> {
    const talk = this.#talk
    const event_id = talk.context.id('aside')
    const response = speech(story(talk, lengthOfCut), { conversation: 'none' })
    const frame = talk.send({ type: 'response.create', event_id, response })
    const begun = await talk.hear([event('response.output_text.delta'), errorAbout(event_id)], frame, 'walk')
    talk.send({ type: 'response.cancel', event_id: talk.context.id('cancel') })
    await quiet(talk)
    const item = textAt(begun?.data, '/item_id')
    if (item !== undefined) await this.#seek(item)
    return shelf
  }

  async #insert(shelf: Shelf, previous: string | undefined, item: JsonObject): Promise<Shelf> {
    const { items } = shelf
    const id = await this.#create(item, previous === undefined ? {} : { previous_item_id: previous })
    if (id === undefined) return shelf
    if (previous === undefined) return { ...shelf, items: [...items, id], last: 'an append', newest: id }
    const place = previous === 'root' ? 0 : items.indexOf(previous) + 1
    return { ...shelf, items: items.toSpliced(place, 0, id), last: 'an insertion', newest: id }
  }

  /** @returns the id of the item, where it was made */
  async #create(more: JsonObject, beside: JsonObject): Promise<string | undefined> {
    const talk = this.#talk
    const place = this.#next % kinds
    this.#next += 1
    const event_id = talk.context.id('create')
    const item = { ...this.#drawn[place], ...more }
    const message = { type: 'conversation.item.create', event_id, item, ...beside, ...this.#beside[place] }
    const heard = await talk.hearRefusal(event_id, talk.send(message), [event(created)], 'walk')
    return textAt(heard?.data, '/item/id')
  }

  /** One fault among those that the schema tells; nothing is made of it. */
  async #fault(): Promise<void> {
    const talk = this.#talk
    const item = this.#drawn[this.#next % kinds] ?? {}
    const faults = faultsOf('common/conversation-item.request', item)
    const { value } = faults[talk.context.random(Math.max(1, faults.length))] ?? { value: {} }
    const event_id = talk.context.id('faulty')
    const frame = talk.send({ type: 'conversation.item.create', event_id, item: value })
    await talk.hearRefusal(event_id, frame, [event(created)], 'walk')
  }

  async #delete(operation: Operation, shelf: Shelf): Promise<Shelf> {
    if (operation !== 'delete all but one') return this.#deleteOne(operation, shelf)
    let left = shelf
    for (let count = shelf.items.length; count > 1; count -= 1) left = await this.#deleteOne('delete the last', left)
    return left
  }

  async #deleteOne(operation: Operation, shelf: Shelf): Promise<Shelf> {
    const { items, gone } = shelf
    const others = items.filter((id) => id !== this.#kept)
    const places = { 'delete the first': 0, 'delete the last': -1 } as const
    const place = operation in places ? places[operation as keyof typeof places] : Math.floor(others.length / 2)
    const newest = others.includes(shelf.newest ?? '') ? shelf.newest : others.at(-1)
    const chosen = operation === 'delete the newest' ? newest : others.at(place)
    const id = (operation === 'delete it again' ? gone.at(-1) : chosen) ?? ''
    const talk = this.#talk
    const event_id = talk.context.id('delete')
    const frame = talk.send({ type: 'conversation.item.delete', event_id, item_id: id })
    if (operation === 'delete it again') {
      await retrieve(talk, this.#kept)
      return shelf
    }
    await talk.hearRefusal(event_id, frame, [event(deleted)], 'walk')
    return without(shelf, id)
  }

  async #deleteThis(id: string, shelf: Shelf): Promise<Shelf> {
    const event_id = this.#talk.context.id('delete')
    const frame = this.#talk.send({ type: 'conversation.item.delete', event_id, item_id: id })
    await this.#talk.hearRefusal(event_id, frame, [event(deleted)], 'walk')
    return without(shelf, id)
  }

  async #retrieve(operation: Operation, shelf: Shelf): Promise<Shelf> {
    if (operation === 'retrieve one') await retrieve(this.#talk, this.#pick(shelf.items))
    else if (operation === 'retrieve a deleted one') await this.#seek(this.#pick(shelf.gone))
    else await this.#seek(this.#talk.context.id('no-item'))
    return shelf
  }

  /** An answer is not needed to what asks for nothing. */
  async #seek(item_id: string): Promise<void> {
    const talk = this.#talk
    talk.send({ type: 'conversation.item.retrieve', event_id: talk.context.id('seek'), item_id })
    await retrieve(talk, this.#kept)
  }

  /** What was spoken is an item of the conversation, unless it was out of band. */
  async #speak(operation: Operation, shelf: Shelf): Promise<Shelf> {
    const words = `${this.#talk.context.id('words')} and no more.`
    const aside = operation === 'speak out of band'
    const { itemId, end } = await respond(this.#talk, speech(words, aside ? { conversation: 'none' } : {}))
    const status = textAt(end?.data, '/response/status')
    if (itemId === undefined || status !== 'completed') return shelf
    if (!aside) return { ...shelf, items: [...shelf.items, itemId], last: 'an append' }
    await this.#seek(itemId)
    return shelf
  }

  /** What a model says is an item of the conversation, unless it was out of band. */
  async #generate(operation: Operation, shelf: Shelf): Promise<Shelf> {
    const aside = operation === 'generate out of band'
    const into = operation === 'generate into it' ? 'auto' : 'none'
    const { end } = await respond(this.#talk, operation === 'generate' ? {} : { conversation: into })
    if (textAt(end?.data, '/response/status') !== 'completed') return shelf
    const ids = objectsIn(at(end?.data, '/response/output')).flatMap((item) => textAt(item, '/id') ?? [])
    for (const id of ids) await (aside ? this.#seek(id) : this.#find(id))
    return aside ? shelf : { ...shelf, items: [...shelf.items, ...ids], last: 'an append' }
  }

  /** What is written is announced, which is waited for. */
  async #find(id: string): Promise<void> {
    await this.#talk.hear(event(created, { '/item/id': id }), 0, 'announced')
    await retrieve(this.#talk, id)
  }

  async #call(shelf: Shelf): Promise<Shelf> {
    const call_id = this.#talk.context.id('call')
    const call = { type: 'function_call', name: 'look_up', arguments: '{"word":"door"}', call_id }
    const called = await this.#insert(shelf, undefined, call)
    const answered = await this.#insert(called, undefined, { type: 'function_call_output', call_id, output: 'A door.' })
    const id = answered.items.at(-1) ?? ''
    for (const one of answered.items.slice(shelf.items.length)) await retrieve(this.#talk, one)
    return called === answered ? answered : { ...answered, outputs: [...(shelf.outputs ?? []), id] }
  }

  async #deleteOutput(shelf: Shelf): Promise<Shelf> {
    const [id = '', ...outputs] = shelf.outputs ?? []
    const left = { ...(await this.#deleteThis(id, shelf)), outputs }
    await this.#seek(id)
    return left
  }

  /** An item that is gone cannot be referred to. */
  async #askAbout(shelf: Shelf): Promise<Shelf> {
    const input = [{ type: 'item_reference', id: shelf.gone.at(-1) ?? '' }]
    const event_id = this.#talk.context.id('ask')
    const begun = event('response.created', { '/request_event_id': { $in: [event_id], $absent: true } })
    const frame = this.#talk.send({ type: 'response.create', event_id, response: { input } })
    await this.#talk.hear([begun, errorAbout(event_id)], frame, 'walk')
    await quiet(this.#talk)
    return shelf
  }

  /** An id that we gave: those of a service may stand for something else in another session. */
  #ours(ids: readonly string[]): string | undefined {
    return ids.findLast((id) => this.#given.has(id))
  }

  #pick(ids: readonly string[]): string {
    return ids[this.#talk.context.random(Math.max(1, ids.length))] ?? this.#kept
  }
}
