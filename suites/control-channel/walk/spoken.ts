import { event } from '#trace/conditions'
import { at, isObject, type Json, type JsonObject, textAt } from '#trace/json'
import { lookUp, speech, userMessage } from '../bodies.ts'
import { errorAbout, startedFor } from '../error-about.ts'
import { created, makeItem, retrieve } from '../items/items.ts'
import { story } from '../responses/busy.ts'
import { quiet, respond } from '../responses/responses.ts'
import type { Talk } from '../talk.ts'
import { tryUpdate } from '../updates/updates.ts'
import { among } from './among.ts'
import type { Operation, Shelf } from './shelf.ts'

/** Characters of a speech that is to be cut short, or to have something done beside it. */
const lengthOfSpeech = 400

const spoken = [
  'speak',
  'speak out of band',
  'speak behind a deletion',
  'speak behind a speech',
  'cut one out of band',
  'generate',
  'generate into it',
  'generate out of band',
  'call a function',
  'call a function out of band',
  'ask about a deleted one',
  'delete beside a speech',
  'change the mode and back',
] as const satisfies readonly Operation[]

type SpokenOperation = (typeof spoken)[number]

export const isSpoken = among(spoken)

/** What a walk among items does elsewhere. */
interface Shelves {
  /** Asks for an item that may not be there. */
  readonly seek: (id: string) => Promise<void>
  readonly remove: (id: string, shelf: Shelf) => Promise<Shelf>
  /** The last item that may be deleted. */
  readonly lastOf: (shelf: Shelf) => string
  readonly words: string
}

/** What responses write into a conversation, or do not. */
export class Spoken {
  readonly #shelves: Shelves

  constructor(shelves: Shelves) {
    this.#shelves = shelves
  }

  async make(operation: SpokenOperation, talk: Talk, shelf: Shelf): Promise<Shelf> {
    const { remove, lastOf, words } = this.#shelves
    switch (operation) {
      case 'generate':
        return this.#generate(talk, {}, shelf)
      case 'generate into it':
        return this.#generate(talk, { conversation: 'auto' }, shelf)
      case 'generate out of band':
        return this.#generate(talk, { conversation: 'none' }, shelf)
      case 'call a function':
      case 'call a function out of band': {
        const { id } = await makeItem(talk, userMessage(words))
        const aside = operation === 'call a function' ? {} : { conversation: 'none' }
        return this.#generate(talk, { tools: [lookUp], ...aside }, id === undefined ? shelf : appended(shelf, [id]))
      }
      case 'speak behind a deletion':
        return this.#speak(talk, {}, await remove(lastOf(shelf), shelf))
      case 'speak behind a speech':
        return this.#speakBehind(talk, shelf)
      case 'cut one out of band':
        return this.#cutAside(talk, shelf)
      case 'ask about a deleted one':
        return this.#askAbout(talk, shelf)
      case 'delete beside a speech':
        return this.#beside(talk, () => remove(lastOf(shelf), shelf))
      case 'change the mode and back':
        return this.#changeMode(talk, shelf)
      default:
        return this.#speak(talk, operation === 'speak out of band' ? { conversation: 'none' } : {}, shelf)
    }
  }

  /** In either mode it is one conversation: what is deleted in video is gone in text, and the others are not. */
  async #changeMode(talk: Talk, shelf: Shelf): Promise<Shelf> {
    const { seek, remove, lastOf } = this.#shelves
    const id = lastOf(shelf)
    await tryUpdate(talk, { mode: 'video_avatar' })
    const left = await remove(id, shelf)
    await seek(id)
    await tryUpdate(talk, { mode: 'text_chat' })
    for (const one of [id, ...left.items.slice(-1)]) await seek(one)
    return left
  }

  /** What was spoken is an item of the conversation, unless it was out of band. */
  async #speak(talk: Talk, response: JsonObject, shelf: Shelf): Promise<Shelf> {
    const words = `${talk.context.id('words')} and no more.`
    const { itemId, end } = await respond(talk, speech(words, response))
    if (itemId === undefined || !isWhole(end?.data)) return shelf
    if (response['conversation'] !== 'none') return written(shelf, [itemId])
    await this.#shelves.seek(itemId)
    return shelf
  }

  /** What waited is written as what did not wait is, and looked for when it is over. */
  async #speakBehind(talk: Talk, shelf: Shelf): Promise<Shelf> {
    let left = shelf
    for (const aside of [{ conversation: 'none' }, {}]) {
      const first = await begin(talk, {})
      if (first !== undefined) left = written(left, [first])
      const after = await this.#speak(talk, { ...aside, scheduling_policy: 'after_current_response' }, left)
      const last = after.items.at(-1)
      if (after !== left && last !== undefined) await find(talk, last)
      left = after
    }
    return left
  }

  /** What a model says is an item of the conversation, unless it was out of band. */
  async #generate(talk: Talk, response: JsonObject, shelf: Shelf): Promise<Shelf> {
    const aside = response['conversation'] === 'none'
    const { end } = await respond(talk, response)
    if (!isWhole(end?.data)) return shelf
    const ids = objectsIn(at(end?.data, '/response/output')).flatMap((item) => textAt(item, '/id') ?? [])
    for (const id of ids) await (aside ? this.#shelves.seek(id) : find(talk, id))
    return aside ? shelf : written(shelf, ids)
  }

  /** A response that is out of band writes nothing, whatever ends it. */
  async #cutAside(talk: Talk, shelf: Shelf): Promise<Shelf> {
    const begun = await begin(talk, { conversation: 'none' })
    talk.send({ type: 'response.cancel', event_id: talk.context.id('cancel') })
    await quiet(talk)
    if (begun !== undefined) await this.#shelves.seek(begun)
    return shelf
  }

  /** Something is done while a response runs. What it writes may stand anywhere. */
  async #beside(talk: Talk, act: () => Promise<Shelf>): Promise<Shelf> {
    const item = await begin(talk, {})
    const shelf = await act()
    await quiet(talk)
    return item === undefined ? shelf : written(shelf, [item])
  }

  /** An item that is gone cannot be referred to. */
  async #askAbout(talk: Talk, shelf: Shelf): Promise<Shelf> {
    const input = [{ type: 'item_reference', id: shelf.gone.at(-1) ?? '' }]
    const event_id = talk.context.id('ask')
    const frame = talk.send({ type: 'response.create', event_id, response: { input } })
    await talk.hear([startedFor(event_id), errorAbout(event_id)], frame, 'walk')
    await quiet(talk)
    return shelf
  }
}

/** Starts a speech and hears it begin. @returns the id of its item */
async function begin(talk: Talk, extra: JsonObject): Promise<string | undefined> {
  const event_id = talk.context.id('speech')
  const response = speech(story(talk, lengthOfSpeech), extra)
  const frame = talk.send({ type: 'response.create', event_id, response })
  const begun = await talk.hear([event('response.output_text.delta'), errorAbout(event_id)], frame, 'walk')
  return textAt(begun?.data, '/item_id')
}

/** What is written is announced, which is waited for. */
async function find(talk: Talk, id: string): Promise<void> {
  await talk.hear(event(created, { '/item/id': id }), 0, 'announced')
  await retrieve(talk, id)
}

const isWhole = (done: Json | undefined): boolean => textAt(done, '/response/status') === 'completed'

const appended = (shelf: Shelf, ids: readonly string[]): Shelf => ({
  ...shelf,
  items: [...shelf.items, ...ids],
  last: 'an append',
})

const written = (shelf: Shelf, ids: readonly string[]): Shelf => ({
  ...appended(shelf, ids),
  generated: [...(shelf.generated ?? []), ...ids],
})

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []
