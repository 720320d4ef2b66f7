import type { KeyName } from '#spec/profile'
import type { FailureReason } from '#trace/entry'
import type { Json } from '#trace/json'
import type { Pattern } from '#trace/claim'

/** One REST call, as a scenario wants it. */
export interface RestCall {
  /** Number reserved beforehand by `exchange()`, for claims written before the send. */
  readonly exchange?: number
  /** Values for `{session_id}` and the like in the operation's path. */
  readonly params?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string }
  /** Sent as JSON. */
  readonly body?: Json
  /** Sent as it is, with content type JSON: for bodies that are deliberately no JSON. */
  readonly text?: string
  /** Sent as `multipart/form-data`. Recorded as body `{ multipart: [{ name, filename, content_type, bytes, sha256 }] }`. */
  readonly multipart?: readonly FormPart[]
  /** Content type in the place of the one that fits the body. */
  readonly content_type?: string
  /** Default `primary`. `none` sends no Authorization header; `malformed` needs `authorization`. */
  readonly key?: KeyName | 'none' | 'malformed'
  /**
   * Literal Authorization header, for deliberate faults. `{primary}` in it stands for the value of that key,
   * `{primary:cut}` for all of it but the last character, `{primary:marred}` for another one in its middle,
   * `{primary:turned}` for all its letters in the other case, so that no scenario needs to know a key.
   */
  readonly authorization?: string
  /** Further headers, for deliberate faults; keys stand in them as in `authorization`. */
  readonly headers?: { readonly [name: string]: string }
  /**
   * `polite` (default): honours Retry-After on 10008, at most 8 times; tries again after a 429 without it, and after 1, 3,
   * 9 and 27 s where an answer without envelope or none at all came and a second send does no harm (everything but creates
   * without a key); after a 5xx that itself says that the request failed, at least once more. What did not pass for one
   * request is not waited for again.
   * `never`: what comes is what counts.
   */
  readonly retry?: 'polite' | 'never'
  /** A code that may pass by itself: after it once more. */
  readonly passing?: number
  /** `false` sends at once, whatever the key's rate: for tests of the rate limit. Such requests count all the same. */
  readonly pace?: false
  /** Default `timeouts.reply_ms`. */
  readonly deadline_ms?: number
  /** How what a create without idempotency key makes is found or ends by itself, should its answer be lost. Not sent. */
  readonly recall?: Recall
  /** Sends the body of a create exactly as it is, without what the run would be known by. */
  readonly unmarked?: true
  /** Gives the call up as soon as its body has gone out, as a caller with no patience would; it fails as `timeout`. */
  readonly give_up?: boolean
  /** Sends the body in pieces and without `Content-Length`. */
  readonly chunked?: boolean
}

/** One of the two will do. */
export interface Recall {
  /** Text in the session that no other session holds. */
  readonly known_by?: string
  /** The longest that it can live, in seconds. */
  readonly ends_within_s?: number
}

/** One part of a form. */
export interface FormPart {
  readonly name: string
  readonly filename?: string
  readonly content_type?: string
  readonly data: string | Uint8Array
}

/** The final answer of a call. Scenarios steer by it; they judge nothing. */
export interface Exchange {
  readonly exchange: number
  /** HTTP status; 0 when none came. */
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** As the target sent it, with real secrets: never put into the trace, an assertion or a message. */
  readonly body: Json | undefined
  /** Envelope code as a number, or undefined when there was no valid envelope. */
  readonly code: number | undefined
  readonly message: string | undefined
  readonly data: Json | undefined
  /** `code` is 0. */
  readonly ok: boolean
  readonly failure: FailureReason | undefined
  /** What seems to have been wrong on the way, where no answer came at last that is surely the target's own. */
  readonly trouble?: string | undefined
  /** An earlier attempt brought no such answer: it may have done what was asked. */
  readonly repeated?: boolean
  /** How often the request was sent; default once. */
  readonly attempts?: number
}

/** A frame that came. `data` is undefined when it was no JSON. */
export interface Frame {
  readonly frame: number
  /** Milliseconds since the run began. */
  readonly t: number
  readonly type: string | undefined
  readonly data: Json | undefined
  /** Nothing else has come since we last sent something. */
  readonly is_next?: boolean
}

/** A frame that was sent. */
export interface SentFrame {
  readonly frame: number
}

export interface ConnectCall {
  /** Number reserved beforehand by `channelNumber()`. */
  readonly channel?: number
  readonly url: string
  readonly session: string
  readonly credential: 'query' | 'header' | 'none'
  readonly secret?: string
  /** What the trace calls the secret; default `client_secret`. */
  readonly secret_name?: string
  /** Sends the API key of this name in the place of the secret: a deliberate fault. */
  readonly api_key?: KeyName
  /** A refusal is what is expected: one that may be an edge's is not waited out, only asked for again. */
  readonly expects_refusal?: boolean
}

/** One control connection, recorded frame by frame. */
export interface Channel {
  readonly channel: number
  readonly session: string
  /** `refused`: never opened. */
  readonly state: 'open' | 'refused' | 'closed'
  /** HTTP status of a refused upgrade, if one came. */
  readonly status: number | undefined
  /** Why its URL was not opened at all, and what would have to stand in the profile. */
  readonly unopened?: string | undefined
  /** Frames that came so far, oldest first. */
  readonly frames: readonly Frame[]
  /** How many frames were sent. */
  readonly sent: number
  /** How many of them carried no `event_id`: an `error` over one of these can name nothing. */
  readonly nameless: number
  /** We ended it since more came than anybody needs. */
  readonly gave_up: boolean
  /** What seems to have been wrong on the way: it never opened, or ended without a word of the target. */
  readonly trouble?: string | undefined
  /** Reserves the number of a frame to be sent, for claims written before the send. */
  nextFrame(): number
  send(event: Json, frame?: number): SentFrame
  sendText(text: string, frame?: number): SentFrame
  sendBinary(bytes: Uint8Array, frame?: number): SentFrame
  /** A WebSocket ping: no event, and no entry of the trace. */
  ping(): void
  /**
   * Waits for a frame that matches and came after the given frame number (sent or received; 0 for any).
   *
   * @returns undefined when the time is over or the channel ended; a wait entry records that we watched.
   */
  next(
    match: Pattern | readonly Pattern[],
    options?: { after?: number; within_ms?: number },
  ): Promise<Frame | undefined>
  /** Watches the channel for this long; ends early when it closes. */
  watch(ms: number): Promise<void>
  close(): Promise<void>
  /** Ends the connection without a closing handshake, as a broken network does. */
  drop(): Promise<void>
}
