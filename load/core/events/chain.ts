/** What a chain of events can have that it must not have, or lack; `chain-laws.ts` says why. */
export const flaws = [
  'created-again',
  'request-answered-again',
  'created-late',
  'created-missing',
  'delta-late',
  'text-done-again',
  'text-done-missing',
  'text-lost',
  'text-repeated',
  'text-reordered',
  'text-differs',
  'script-differs',
  'item-done-again',
  'item-done-missing',
  'after-done',
  'done-again',
  'updated-again',
  'update-done-early',
  'update-done-again',
  'avatar-differs',
  'rejected-ran',
  'pending-early',
  'cleared-ran',
  'two-at-once',
  'interrupt-waited',
  'second-waited',
  'state-lost',
  'request-of-another',
  'events-of-another',
] as const

export type Flaw = (typeof flaws)[number]

/** How often each was seen. No map: the first one costs a user of k6 11 kB. */
export type Flaws = { [flaw in Flaw]?: number }

export function countFlaw(counts: Flaws, flaw: Flaw, by = 1): void {
  counts[flaw] = (counts[flaw] ?? 0) + by
}

export const flawsIn = (counts: Flaws): [Flaw, number][] => Object.entries(counts) as [Flaw, number][]

export const isFlawless = (chain: Chain): boolean => Object.keys(chain.flaws).length === 0

/** How what was streamed differs from the final text: by its length, or only by its order. */
function difference(streamed: string, text: unknown): Flaw {
  if (typeof text !== 'string' || streamed.length < text.length) return 'text-lost'
  if (streamed.length > text.length) return 'text-repeated'
  return sorted(streamed) === sorted(text) ? 'text-reordered' : 'text-differs'
}

const sorted = (text: string): string => text.split('').toSorted().join('')

const isBeginning = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)

/** An output item, as the text events name it. */
interface Item {
  readonly itemId: unknown
  readonly outputIndex: unknown
  /** What came of its text; empty as soon as its end came. */
  pieces: string[]
  streamed: boolean
  text: string | undefined
  /** How its deltas differ from its final text. */
  differs: { readonly flaw: Flaw; readonly begins: boolean } | undefined
  done: boolean
}

/** How a response may end by the service itself (2.10): it failed, or was left incomplete. */
export const isOwnEnd = (status: unknown): boolean => status === 'failed' || status === 'incomplete'

/**
 * The events of one response (3.4, 6.2): `response.created`, deltas, `response.output_text.done`,
 * `response.output_item.done`, `response.done`. Number and size of deltas are the service's business; a response may
 * have several items. Fields are taken as they came; whether they have the right type is not for a load test to say.
 */
export class Chain {
  readonly flaws: Flaws = {}
  /** How many deltas came, but for those of `more`. */
  deltas = 0
  /** Other events. */
  others = 0
  /** Final status; undefined until `response.done`. */
  status: unknown
  /** Whether its `response.created` came; without it, the connection may have opened in the middle. */
  started = false
  /** Whether it can't have started before the connection was open. */
  late = false
  /** As its events name it; undefined until one does. */
  id: unknown
  readonly #items: Item[] = []
  /** The item of the last event: most events are deltas of one item, and this is the path of every event. */
  #current: Item | undefined

  created(): void {
    if (this.started) this.#flaw('created-again')
    else if (this.deltas + this.others > 0) this.#flaw('created-late')
    this.started = true
    this.#belongs()
  }

  delta(itemId: unknown, outputIndex: unknown, text: unknown): void {
    if (this.status !== undefined) this.#flaw('after-done')
    this.deltas += 1
    const item = this.#item(itemId, outputIndex)
    if (item.text !== undefined || item.done) this.#flaw('delta-late')
    item.streamed = true
    if (typeof text === 'string') item.pieces.push(text)
  }

  /** Another delta of the item of the last event, which was a delta. */
  more(text: string): void {
    this.#current?.pieces.push(text)
  }

  textDone(itemId: unknown, outputIndex: unknown, text: unknown): void {
    this.#belongs()
    const item = this.#item(itemId, outputIndex)
    if (item.text !== undefined) {
      this.#flaw('text-done-again')
      return
    }
    const streamed = item.pieces.join('')
    item.pieces = []
    item.text = typeof text === 'string' ? text : ''
    if (streamed !== text) item.differs = { flaw: difference(streamed, text), begins: isBeginning(streamed, item.text) }
  }

  itemDone(itemId: unknown, outputIndex: unknown): void {
    this.#belongs()
    const item = this.#item(itemId, outputIndex)
    if (item.done) this.#flaw('item-done-again')
    item.done = true
  }

  done(status: unknown): void {
    if (this.status !== undefined) {
      this.#flaw('done-again')
      return
    }
    this.#belongs()
    this.status = status ?? 'none'
    for (const item of this.#items) {
      // Also on those that were "interrupted, incomplete or cancelled" (6.2): nothing is said of those that failed.
      if (!item.done && status !== 'failed') this.#flaw('item-done-missing')
      // The final text of an item that was cut short is a beginning of its deltas, or they are one of it.
      if (item.differs !== undefined && (status === 'completed' || !item.differs.begins)) this.#flaw(item.differs.flaw)
      // An item that was cut short may lack it.
      if (status === 'completed' && item.streamed && item.text === undefined) this.#flaw('text-done-missing')
    }
  }

  /** All text of the response. */
  text(): string {
    const [only] = this.#items
    if (this.#items.length === 1 && only !== undefined) return only.text ?? only.pieces.join('')
    const items = this.#items.toSorted((left, right) => Number(left.outputIndex) - Number(right.outputIndex))
    return items.map(({ text, pieces }) => text ?? pieces.join('')).join('')
  }

  /** For a script, whose "exact spoken text" is known (4.4). */
  expect(text: string): void {
    if (this.text() !== text) this.#flaw('script-differs')
  }

  #belongs(): void {
    if (this.status !== undefined) this.#flaw('after-done')
    this.others += 1
  }

  #flaw(flaw: Flaw): void {
    countFlaw(this.flaws, flaw)
  }

  #item(itemId: unknown, outputIndex: unknown): Item {
    const current = this.#current
    if (current !== undefined && current.itemId === itemId && current.outputIndex === outputIndex) return current
    const known = this.#items.find((item) => item.outputIndex === outputIndex && item.itemId === itemId)
    const item = known ?? {
      itemId,
      outputIndex,
      pieces: [],
      streamed: false,
      text: undefined,
      differs: undefined,
      done: false,
    }
    if (known === undefined) this.#items.push(item)
    this.#current = item
    return item
  }
}
