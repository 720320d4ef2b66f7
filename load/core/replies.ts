import { Chain, type Place } from './chain.ts'

/** A server event, as it came; nothing in it is trusted. */
export interface ServerEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** What an event means for the request that waits. */
export type Progress = 'created' | 'first-delta' | 'delta' | 'done' | 'rejected'

interface Request {
  readonly eventId: string
  readonly text: string
  chain: Chain | undefined
  /** Whether the target said itself which response answers. */
  named: boolean
}

/** Sorts the events of one control connection by response, and tells which response answers which request. */
export class Replies {
  readonly #chains = new Map<string, Chain>()
  #request: Request | undefined

  /** Expects the answer to a `response.create` with a script of this text; the one before must have ended. */
  ask(eventId: string, text: string): void {
    this.#request = { eventId, text, chain: undefined, named: false }
  }

  /** Every chain that was seen from its start, those that nobody asked for among them: an opening may speak. */
  chains(): Chain[] {
    return [...this.#chains.values()].filter(({ started }) => started)
  }

  /** The chain that answers the request. */
  get answer(): Chain | undefined {
    return this.#request?.chain
  }

  take(event: ServerEvent): Progress | undefined {
    switch (event.type) {
      case 'response.output_text.delta':
        return this.#delta(event)
      case 'response.created':
        return this.#created(event)
      case 'response.output_text.done':
        this.#chain(event['response_id']).textDone(placeOf(event, event['item_id']), textOf(event['text']))
        return undefined
      case 'response.output_item.done':
        this.#chain(event['response_id']).itemDone(placeOf(event, fieldOf(event['item'], 'id')))
        return undefined
      case 'response.done':
        return this.#done(event)
      case 'error':
        return this.#rejected(event) ? 'rejected' : undefined
      default:
        return undefined
    }
  }

  #delta(event: ServerEvent): Progress | undefined {
    const chain = this.#chain(event['response_id'])
    chain.delta(placeOf(event, event['item_id']), textOf(event['delta']))
    if (chain !== this.answer) return undefined
    return chain.deltas === 1 ? 'first-delta' : 'delta'
  }

  /** `request_event_id` is optional: without it, the first new response is taken for the answer until it proves not to be. */
  #created(event: ServerEvent): Progress | undefined {
    const chain = this.#chain(fieldOf(event['response'], 'id'))
    chain.created()
    const request = this.#request
    const named = event['request_event_id']
    if (request === undefined || chain.status !== undefined) return undefined
    const answers = named === request.eventId || (named === undefined && request.chain === undefined)
    if (!answers) return undefined
    request.chain = chain
    request.named = named !== undefined
    return 'created'
  }

  #done(event: ServerEvent): Progress | undefined {
    const chain = this.#chain(fieldOf(event['response'], 'id'))
    const again = chain.status !== undefined
    chain.done(textOf(fieldOf(event['response'], 'status')))
    const request = this.#request
    if (request === undefined || chain !== request.chain || again) return undefined
    if (!request.named && !request.text.startsWith(chain.text())) {
      request.chain = undefined
      return undefined
    }
    if (chain.status === 'completed') chain.expect(request.text)
    return 'done'
  }

  #rejected(event: ServerEvent): boolean {
    return this.#request !== undefined && fieldOf(event['error'], 'event_id') === this.#request.eventId
  }

  #chain(id: unknown): Chain {
    const key = textOf(id)
    const known = this.#chains.get(key)
    if (known !== undefined) return known
    const chain = new Chain()
    this.#chains.set(key, chain)
    return chain
  }
}

function placeOf(event: ServerEvent, itemId: unknown): Place {
  const index = event['output_index']
  return { itemId: textOf(itemId), outputIndex: typeof index === 'number' ? index : 0 }
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as { [field: string]: unknown })[field] : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
