import type { ContentPart, GivenItem } from './conversation-shape.ts'
import { Fault } from './reading.ts'

/** An item as it is kept: always with an id and a status. */
export type Item = GivenItem & { id: string; status: string }

function hear(part: ContentPart): string {
  if (part.type === 'input_audio') return part.transcript ?? ''
  return part.type === 'input_image' ? '' : part.text
}

/** The text of a message, as a listener hears it. */
export function textOf(item: GivenItem): string {
  if (item.type !== 'message') return ''
  const heard = item.content.map(hear)
  return heard.filter((text) => text !== '').join(' ')
}

/** The default conversation of one session, in order. */
export class Conversation {
  readonly #items: Item[] = []
  #named = 0

  get items(): readonly Item[] {
    return this.#items
  }

  nextId(): string {
    this.#named += 1
    return `line-${this.#named}`
  }

  find(id: string): Item | undefined {
    return this.#items.find((item) => item.id === id)
  }

  /** Puts an item after `previous` ("root": first; undefined: last). Returns the id of the item before it, or null. */
  insert(item: Item, previous: string | undefined): string | null {
    if (this.find(item.id) !== undefined) throw new Fault('item.id', 'is taken')
    const place = this.#placeAfter(previous)
    const before = this.#items[place - 1]?.id ?? null
    this.#items.splice(place, 0, item)
    return before
  }

  delete(id: string): void {
    const place = this.#items.findIndex((item) => item.id === id)
    if (place < 0) throw new Fault('item_id', 'names no item')
    this.#items.splice(place, 1)
  }

  #placeAfter(previous: string | undefined): number {
    if (previous === undefined) return this.#items.length
    if (previous === 'root') return 0
    const place = this.#items.findIndex((item) => item.id === previous)
    if (place < 0) throw new Fault('previous_item_id', 'names no item')
    return place + 1
  }
}
