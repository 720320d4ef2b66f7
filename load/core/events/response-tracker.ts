import { Chain, type Flaw } from './chain.ts'
import { foreignNamed } from './foreign.ts'
import { objectOf } from '../envelope.ts'
import type { ServerEvent } from './frames.ts'

/** What became of one `response.create`. Moments are on the machine's clock; undefined for what has not come. */
export interface AskedResponse {
  readonly eventId: string
  readonly text: string
  readonly sentAt: number
  /** Whether it waits for the one before, and does not interrupt it. */
  readonly waits: boolean
  createdAt: number | undefined
  /** Whether the target said itself that this request is answered. */
  named: boolean
  firstDeltaAt: number | undefined
  doneAt: number | undefined
  rejected: boolean
  chain: Chain | undefined
  /** Its deltas that came after one that was asked for later had begun: how many, and from when to when. */
  beside: { count: number; readonly from: number; to: number } | undefined
}

/** So many deltas over so many milliseconds are no rest of an interrupted response that was still under way. */
const BESIDE = 5
const BESIDE_MS = 100

/** Follows many responses of one control connection at once: those that interrupt each other, and one that waits. */
export class ResponseTracker {
  readonly asked: AskedResponse[] = []
  readonly flaws = new Map<Flaw, number>()
  readonly #chains = new Map<unknown, Chain>()
  readonly #name: string
  readonly #connection: string

  /**
   * @param name every event id that is asked with begins with it, and no other's does
   * @param connection what those of the whole connection begin with, of which this is a part
   */
  constructor(name: string, connection = name) {
    this.#name = name
    this.#connection = connection
  }

  ask(eventId: string, text: string, sentAt: number, waits = false): AskedResponse {
    const asked: AskedResponse = {
      eventId,
      text,
      sentAt,
      waits,
      createdAt: undefined,
      named: false,
      firstDeltaAt: undefined,
      doneAt: undefined,
      rejected: false,
      chain: undefined,
      beside: undefined,
    }
    this.asked.push(asked)
    return asked
  }

  take(event: ServerEvent, at: number): void {
    const { type } = event
    if (type === 'response.output_text.delta') this.#delta(event, at)
    else if (type === 'response.created') this.#created(event, at)
    else if (type === 'response.output_text.done')
      this.#chain(event['response_id']).textDone(event['item_id'], event['output_index'], event['text'])
    else if (type === 'response.output_item.done')
      this.#chain(event['response_id']).itemDone(objectOf(event['item'])['id'], event['output_index'])
    else if (type === 'response.done') this.#done(event, at)
    else if (type === 'error') this.#rejected(objectOf(event['error'])['event_id'])
  }

  /** Of all chains that began here, and of events that belong to none. */
  allFlaws(): Map<Flaw, number> {
    const all = new Map(this.flaws)
    for (const chain of this.#chains.values())
      if (chain.started) for (const [flaw, count] of chain.flaws) all.set(flaw, (all.get(flaw) ?? 0) + count)
    return all
  }

  #flaw(flaw: Flaw): void {
    this.flaws.set(flaw, (this.flaws.get(flaw) ?? 0) + 1)
  }

  #delta(event: ServerEvent, at: number): void {
    const chain = this.#chain(event['response_id'])
    chain.delta(event['item_id'], event['output_index'], event['delta'])
    const index = this.asked.findIndex((one) => one.chain === chain)
    const asked = this.asked[index]
    if (asked === undefined) return
    if (chain.deltas === 1) asked.firstDeltaAt = at
    // Which is which is only sure where the target says it.
    const later = asked.named ? this.asked.slice(index + 1).filter(({ named }) => named) : []
    if (later.length === 0) return
    const { waits } = this.asked[index + 1] ?? {}
    if (waits === true && later[0] === this.asked[index + 1] && asked.beside === undefined) this.#flaw('pending-early')
    asked.beside ??= { count: 0, from: at, to: at }
    asked.beside.count += 1
    asked.beside.to = at
  }

  #created(event: ServerEvent, at: number): void {
    const chain = this.#chain(objectOf(event['response'])['id'])
    chain.created()
    const asked = this.#answeredBy(event['request_event_id'])
    if (asked?.chain !== undefined && asked.chain !== chain) this.#flaw('request-answered-again')
    if (asked === undefined || asked.chain !== undefined) return
    if (asked.rejected && asked.waits) this.#flaw('rejected-ran')
    asked.chain = chain
    asked.named = typeof event['request_event_id'] === 'string'
    asked.createdAt = at
  }

  /** `request_event_id` is optional: without it, responses begin in the order in which they were asked for. */
  #answeredBy(named: unknown): AskedResponse | undefined {
    if (typeof named !== 'string') return this.asked.find(({ chain, rejected }) => chain === undefined && !rejected)
    const other = foreignNamed(this.#connection, named)
    if (other !== undefined) this.#flaw(other)
    // What was asked before this part began is over.
    else if (named !== '' && !named.startsWith(this.#name)) this.#flaw('request-answered-again')
    return this.asked.find(({ eventId }) => eventId === named)
  }

  #done(event: ServerEvent, at: number): void {
    const response = objectOf(event['response'])
    const chain = this.#chain(response['id'])
    chain.done(response['status'])
    const asked = this.asked.find((one) => one.chain === chain)
    if (asked === undefined || asked.doneAt !== undefined) return
    asked.doneAt = at
    if (chain.status !== 'completed') return
    chain.expect(asked.text)
    const { beside } = asked
    if (beside !== undefined && beside.count >= BESIDE && beside.to - beside.from >= BESIDE_MS)
      this.#flaw('two-at-once')
  }

  #rejected(eventId: unknown): void {
    const asked = this.asked.find((one) => one.eventId === eventId)
    // What has begun may have trouble of another kind.
    if (asked !== undefined && asked.chain === undefined) asked.rejected = true
  }

  #chain(id: unknown): Chain {
    const chain = this.#chains.get(id) ?? new Chain()
    this.#chains.set(id, chain)
    return chain
  }
}

/** Nothing more is to come of it. */
export const isOver = ({ doneAt, rejected }: AskedResponse): boolean => doneAt !== undefined || rejected
