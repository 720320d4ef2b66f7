import { draw } from '#arbitraries/draw'
import { conversationItem, unknownFields } from '#arbitraries/channel/items'
import type { Option } from '#scenario/author/steering'
import type { Walk } from '#scenario/author/walk'
import { event } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import { prose, userMessage } from '../bodies.ts'
import { created, deleted, makeItem, retrieve } from '../items/items.ts'
import type { Talk } from '../talk.ts'
import { callsWithOutput, sendFaultyItem, systemMessage, withMedia } from './messages.ts'
import { type Abilities, type Operation, optionsAt, type Shelf, shelfPairs, without } from './shelf.ts'
import { isSpoken, Spoken } from './spoken.ts'

/** A connection to a session, and how another one is opened. */
interface Conversation {
  readonly talk: Talk
  readonly connect: () => Promise<Talk>
  readonly abilities: Abilities
  /** Words that make the model call a function. */
  readonly words: string
}

/** So many different items; then they come again. */
const kinds = 40

/** Characters of a long text. */
const longLength = 6_000

/** Items of one conversation, put in, taken out and looked at in any order. The rules of the part judge them. */
export class Items implements Walk<Shelf, Operation> {
  readonly name = 'items of a conversation'
  readonly pairs: readonly string[]
  readonly options: (shelf: Shelf) => readonly Option<Operation>[]
  readonly #connect: () => Promise<Talk>
  #talk: Talk
  readonly #drawn: readonly JsonObject[]
  readonly #beside: readonly JsonObject[]
  readonly #given = new Set<string>()
  #next = 0
  #calls = 0
  /** The item that is kept: its retrieval shows that what was sent before was read. */
  #kept = ''
  readonly #spoken: Spoken

  constructor({ talk, connect, abilities, words }: Conversation, seed: number) {
    this.pairs = shelfPairs(abilities)
    this.options = (shelf) => optionsAt(shelf, abilities)
    this.#spoken = new Spoken({
      seek: (id) => this.#seek(id),
      remove: (id, shelf) => this.#remove(id, shelf),
      lastOf: (shelf) => this.#others(shelf).at(-1) ?? '',
      words,
    })
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
    // Whatever opening the service plays is over then.
    return this.#spoken.make('speak', this.#talk, { items: [id], gone: [], last: 'an append' })
  }

  /** Looks at all that is there and at what was deleted, and appends once more. */
  async drain({ items, gone }: Shelf): Promise<void> {
    for (const id of items.slice(0, 30)) await retrieve(this.#talk, id)
    for (const id of gone.slice(-15)) await this.#seek(id)
    await this.#create({}, {})
  }

  readonly perform = async (operation: Operation, shelf: Shelf): Promise<Shelf> => {
    if (this.#talk.channel.state !== 'open') return shelf
    if (isSpoken(operation)) return this.#spoken.make(operation, this.#talk, shelf)
    if (operation === 'delete the output of a call') return this.#deleteOutput(shelf)
    if (operation === 'delete a call') return this.#deleteCall(shelf)
    if (operation === 'append a call and its output') return this.#call(shelf)
    if (operation === 'append an id in another case') return this.#appendInAnotherCase(shelf)
    if (operation === 'append with media') return this.#appendSeen(shelf, withMedia(this.#talk.context))
    if (operation === 'append a long text') return this.#appendSeen(shelf, userMessage(prose(longLength)))
    if (operation === 'insert after output') return this.#insertAfterOutput(shelf)
    if (operation.startsWith('delete')) return this.#delete(operation, shelf)
    if (operation.startsWith('retrieve')) return this.#retrieve(operation, shelf)
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
      case 'append with an odd id':
        return this.#insert(shelf, undefined, { id: `${own}-Zoë` })
      case 'insert at the root':
        return this.#insert(shelf, 'root', {})
      case 'insert before a system message':
        return this.#insert(await this.#insert(shelf, 'root', systemMessage), 'root', {})
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
      case 'bring an id again': {
        const again = this.#ours(items) ?? own
        await this.#create({ id: again }, {})
        await this.#seek(again)
        return shelf
      }
      case 'bring a deleted id again': {
        const again = this.#ours(gone) ?? own
        return this.#bringBack(shelf, again)
      }
      default:
        await this.#seek(await sendFaultyItem(this.#talk, this.#drawn[this.#next % kinds] ?? {}))
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
    const item = more['type'] === undefined ? { ...this.#drawn[place], ...more } : more
    const message = { type: 'conversation.item.create', event_id, item, ...beside, ...this.#beside[place] }
    const heard = await talk.hearRefusal(event_id, talk.send(message), [event(created)], 'walk')
    return textAt(heard?.data, '/item/id')
  }

  async #delete(operation: Operation, shelf: Shelf): Promise<Shelf> {
    if (operation !== 'delete all but one') return this.#deleteOne(operation, shelf)
    let left = shelf
    for (let count = shelf.items.length; count > 1; count -= 1) left = await this.#deleteOne('delete the last', left)
    return left
  }

  async #deleteOne(operation: Operation, shelf: Shelf): Promise<Shelf> {
    const { gone } = shelf
    const others = this.#others(shelf)
    const places = { 'delete the first': 0, 'delete the last': -1 } as const
    const place = operation in places ? places[operation as keyof typeof places] : Math.floor(others.length / 2)
    const newest = others.includes(shelf.newest ?? '') ? shelf.newest : others.at(-1)
    const chosen = operation === 'delete the newest' ? newest : others.at(place)
    const id = (operation === 'delete it again' ? gone.at(-1) : chosen) ?? ''
    if (operation !== 'delete it again') return this.#remove(id, shelf)
    const talk = this.#talk
    talk.send({ type: 'conversation.item.delete', event_id: talk.context.id('delete'), item_id: id })
    await retrieve(talk, this.#kept)
    return shelf
  }

  #others({ items }: Shelf): readonly string[] {
    return items.filter((id) => id !== this.#kept)
  }

  async #remove(id: string, shelf: Shelf): Promise<Shelf> {
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

  /** With an id, by which its answer is told even where that shows something else. */
  async #appendSeen(shelf: Shelf, item: JsonObject): Promise<Shelf> {
    const id = this.#talk.context.id('item')
    this.#given.add(id)
    const made = await this.#insert(shelf, undefined, { ...item, id })
    if (made !== shelf) await retrieve(this.#talk, made.newest ?? '')
    return made
  }

  /** An id is one item, and the same in capitals another: either is found, and the first is there when the second goes. */
  async #appendInAnotherCase(shelf: Shelf): Promise<Shelf> {
    const id = this.#talk.context.id('item')
    const first = await this.#insert(shelf, undefined, { id })
    const both = await this.#insert(first, undefined, { id: id.toUpperCase() })
    if (first === shelf || both === first) return both
    for (const one of [first, both]) await this.#seek(one.newest ?? '')
    const left = await this.#remove(both.newest ?? '', both)
    await this.#seek(first.newest ?? '')
    return left
  }

  /** With ids, by which both are known even where they are shown otherwise. */
  async #call(shelf: Shelf): Promise<Shelf> {
    const { context } = this.#talk
    const [call_id, id, answer] = [context.id('call'), context.id('item'), context.id('item')]
    for (const one of [id, answer]) this.#given.add(one)
    const { output, ...asked } = callsWithOutput[this.#calls % callsWithOutput.length] ?? callsWithOutput[0]
    this.#calls += 1
    const call = { type: 'function_call', name: 'look_up', ...asked, call_id, id }
    const called = await this.#insert(shelf, undefined, call)
    const told = { type: 'function_call_output', call_id, output, id: answer }
    const answered = await this.#insert(called, undefined, told)
    for (const one of answered.items.slice(shelf.items.length)) await retrieve(this.#talk, one)
    if (called === shelf || answered === called) return answered
    const { calls = [], outputs = [] } = shelf
    return {
      ...answered,
      calls: [...calls, called.newest ?? ''],
      outputs: [...outputs, answered.newest ?? ''],
    }
  }

  async #deleteOutput(shelf: Shelf): Promise<Shelf> {
    const [id = ''] = shelf.outputs ?? []
    const left = await this.#remove(id, shelf)
    await this.#seek(id)
    return left
  }

  /** Its output stays. */
  async #deleteCall(shelf: Shelf): Promise<Shelf> {
    const left = await this.#remove(shelf.calls?.[0] ?? '', shelf)
    for (const id of left.outputs ?? []) await retrieve(this.#talk, id)
    return left
  }

  /** Behind output that is not the last item. */
  async #insertAfterOutput(shelf: Shelf): Promise<Shelf> {
    const output = shelf.generated?.at(-1)
    const longer = shelf.items.at(-1) === output ? await this.#insert(shelf, undefined, {}) : shelf
    return this.#insert(longer, output, {})
  }

  /** An id that we gave: those of a service may stand for something else in another session. */
  #ours(ids: readonly string[]): string | undefined {
    return ids.findLast((id) => this.#given.has(id))
  }

  #pick(ids: readonly string[]): string {
    return ids[this.#talk.context.random(Math.max(1, ids.length))] ?? this.#kept
  }
}
