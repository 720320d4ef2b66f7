import type { Request } from './script.ts'
import type { Connection, ReceivedEvent } from './sessions.ts'

/** An output item of a response, as its events show it on one connection. */
export interface Item {
  readonly id: string
  /** Deltas and the final text, in order. */
  readonly texts: ReceivedEvent[]
  readonly deltas: ReceivedEvent[]
  readonly text_done: ReceivedEvent[]
  readonly item_done: ReceivedEvent[]
  /** All deltas, joined. */
  joined: string
}

/** A response, as one connection shows it. */
export interface Response {
  /** Undefined where `response.created` shows none and nothing else could be tied to it. */
  readonly id: string | undefined
  readonly connection: Connection
  readonly events: ReceivedEvent[]
  readonly created: ReceivedEvent[]
  readonly done: ReceivedEvent[]
  readonly started: ReceivedEvent[]
  readonly stopped: ReceivedEvent[]
  readonly items: Map<string, Item>
  /** Its id was not shown everywhere, so that events were tied to it by their order. */
  guessed: boolean
  readonly origin: Origin
}

/** Where a response comes from; shared by the connections that show it. */
export interface Origin {
  /** Every `response.create` that may have asked for it. */
  candidates: readonly Request[]
  /** The one that did. */
  request: Request | undefined
  /** It may have begun without being asked for: an opening, or an answer to what a user said. */
  unasked: boolean
  /** Where nothing that we asked for is left that it may come of: it may be an opening, or surely answers what a user said. */
  by_itself: 'opening' | 'answer' | undefined
}
