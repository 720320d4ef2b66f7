import { Chain, countFlaw, type Flaw, type Flaws, flawsIn } from './chain.ts'
import { type Failure, failureOf } from './errors.ts'
import { answersAnother, foreignNamed, type Names, namedIn } from './foreign.ts'
import type { ServerEvent } from './frames.ts'

/** What an event means for the request that waits. */
export type Progress = 'created' | 'first-delta' | 'delta' | 'done' | Failure

interface Request {
  readonly eventId: string
  readonly text: string
  chain: Chain | undefined
  /** Whether the target said itself which response answers. */
  named: boolean
  /** Other responses that name no request and began after it: an opening, which may speak by itself, may be taken for the answer. */
  readonly others: Chain[]
}

/** Sorts the events of one control connection by response, and tells which response answers which request. */
export class Replies {
  readonly #chains: Chain[] = []
  /** A response whose `response.created` told no id, which is optional (2.10). */
  #nameless: Chain | undefined
  /** The chain of the last event: every event goes through here, and most belong to one response. */
  #latest: Chain | undefined
  #latestId: unknown
  #request: Request | undefined
  /** Event ids of the requests before that were answered here. No Set: the first one costs a user of k6 17 kB. */
  #answered: readonly string[] = []
  /** Whether a response has run from its request to its end: what was spoken before we came is over then. */
  #ran = false
  readonly #names: Names
  /** Of events that belong to no chain. */
  readonly flaws: Flaws = {}

  /** @param names `own`: every event id that is asked with begins with it, and no other conversation's does */
  constructor(names: Names) {
    this.#names = names
  }

  /** Expects the answer to a `response.create` with a script of this text; the one before must have ended. */
  ask(eventId: string, text: string): void {
    const before = this.#request
    if (before?.named === true) this.#answered = [...this.#answered, before.eventId]
    this.#request = { eventId, text, chain: undefined, named: false, others: [] }
  }

  /** Every chain that was seen from its start, those that nobody asked for among them: an opening may speak. */
  chains(): Chain[] {
    return this.#chains.filter(({ started }) => started)
  }

  /** How many responses sent something and never began: what none of this connection's can do. */
  get strays(): number {
    return this.#chains.filter(({ late, started }) => late && !started).length
  }

  /** Of all chains that began here, and of events that belong to none. */
  allFlaws(): Flaws {
    const all = { ...this.flaws }
    for (const chain of this.chains()) for (const [flaw, count] of flawsIn(chain.flaws)) countFlaw(all, flaw, count)
    if (this.strays > 0) countFlaw(all, 'created-missing', this.strays)
    return all
  }

  /** The chain that answers the request. */
  get answer(): Chain | undefined {
    return this.#request?.chain
  }

  flaw(flaw: Flaw): void {
    countFlaw(this.flaws, flaw)
  }

  /** Whether an `error` says that this client event caused it. */
  names(event: ServerEvent, eventId: string | undefined): boolean {
    return eventId !== undefined && fieldOf(event['error'], 'event_id') === eventId
  }

  /** Whether an `error` names no client event as its cause. */
  isNameless(event: ServerEvent): boolean {
    return namedIn(fieldOf(event['error'], 'event_id')) === undefined
  }

  take(event: ServerEvent): Progress | undefined {
    switch (event.type) {
      case 'response.output_text.delta':
        return this.#delta(event)
      case 'response.created':
        return this.#created(event)
      case 'response.output_text.done':
        this.#chain(event['response_id']).textDone(event['item_id'], event['output_index'], event['text'])
        return undefined
      case 'response.output_item.done':
        this.#chain(event['response_id']).itemDone(fieldOf(event['item'], 'id'), event['output_index'])
        return undefined
      case 'response.done':
        return this.#done(event)
      case 'error':
        this.#hearOther(event)
        return this.names(event, this.#request?.eventId) ? failureOf(event) : undefined
      default:
        this.#hearOther(event)
        return undefined
    }
  }

  #hearOther(event: ServerEvent): void {
    if (answersAnother(this.#names, event)) this.flaw('events-of-another')
  }

  #delta(event: ServerEvent): Progress | undefined {
    const chain = this.#chain(event['response_id'])
    chain.delta(event['item_id'], event['output_index'], event['delta'])
    if (chain !== this.#request?.chain) return undefined
    return chain.deltas === 1 ? 'first-delta' : 'delta'
  }

  /** `request_event_id` is optional: without it, the first new response is taken for the answer until it proves not to be. */
  #created(event: ServerEvent): Progress | undefined {
    const id = fieldOf(event['response'], 'id')
    const chain = id === undefined ? this.#add() : this.#chain(id)
    if (id === undefined) this.#nameless = chain
    const isNew = !chain.started
    chain.created()
    const request = this.#request
    const named = namedIn(event['request_event_id'])
    const other = foreignNamed(this.#names, named)
    if (other !== undefined) this.flaw(other)
    if (request?.chain !== undefined && request.chain !== chain && named === request.eventId) this.#answerAgain(request)
    if (isNew && named !== undefined && this.#answered.includes(named)) this.flaw('request-answered-again')
    if (request === undefined || chain.status !== undefined) return undefined
    if (isNew && named === undefined && request.chain !== undefined && !request.named) request.others.push(chain)
    const answers = named === request.eventId || (named === undefined && request.chain === undefined)
    if (!answers) return undefined
    request.chain = chain
    request.named = named !== undefined
    return 'created'
  }

  /** What named no request, and was taken for the answer, may be the opening, which speaks another text, before the first response. */
  #answerAgain(request: Request): void {
    const text = request.chain?.text() ?? ''
    if (request.named || this.#ran || (text !== '' && request.text.startsWith(text)))
      this.flaw('request-answered-again')
    else request.chain = undefined
  }

  #done(event: ServerEvent): Progress | undefined {
    const chain = this.#ending(fieldOf(event['response'], 'id'))
    const again = chain.status !== undefined
    chain.done(fieldOf(event['response'], 'status'))
    // A script is spoken as it was asked for, and begins with the event id of its request: also where nothing else names that.
    // No regular expression: the first one costs a user of k6 17 kB.
    const text = chain.text()
    const spoken = text.startsWith('Script ') ? text.slice('Script '.length) : undefined
    // A short text has only the beginning of it, and a full stop or two.
    const isOurs = spoken !== undefined && this.#names.own.startsWith(spoken.slice(0, -2))
    if (!again && !isOurs && foreignNamed(this.#names, spoken) === 'events-of-another') this.flaw('events-of-another')
    const request = this.#request
    if (request === undefined || chain !== request.chain || again) return undefined
    // One that was interrupted before it spoke tells not whose it is; where another one began, that is ours.
    const isCut = text === '' && chain.status === 'cancelled' && (request.others.length > 0 || !this.#ran)
    if (!request.named && (!request.text.startsWith(text) || isCut)) {
      request.chain = request.others.shift()
      return undefined
    }
    if (chain.status === 'completed') chain.expect(request.text)
    this.#ran = true
    return 'done'
  }

  #ending(id: unknown): Chain {
    if (id !== undefined) return this.#chain(id)
    return this.#nameless ?? this.#request?.chain ?? this.#add()
  }

  #chain(id: unknown): Chain {
    if (this.#latest !== undefined && id === this.#latestId) return this.#latest
    const known = this.#chains.find((chain) => chain.id === id) ?? this.#nameless
    const chain = known ?? this.#add()
    if (known === undefined && typeof id === 'string') chain.late = this.#ran
    if (chain === this.#nameless) this.#nameless = undefined
    chain.id = id
    this.#latestId = id
    this.#latest = chain
    return chain
  }

  #add(): Chain {
    const chain = new Chain()
    this.#chains.push(chain)
    return chain
  }
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as { [field: string]: unknown })[field] : undefined
}
