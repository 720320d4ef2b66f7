import { createHash } from 'node:crypto'
import { shownHeaders } from '#client/http/answer'
import type {
  ChannelClosedEntry,
  ChannelOpenEntry,
  ChannelRefusedEntry,
  FailureReason,
  RequestEntry,
} from '#trace/entry'
import type { Redactor } from '#trace/redact'
import type { TraceWriter } from '#trace/writer'
import type { KeyNames } from './key-names.ts'
import { receivedFrame, type SeenAnswer, sentFrame, shownRequest } from './notes.ts'
import { judgedAs, operationOf } from './operation.ts'
import { Repetitions } from './repetitions.ts'

/** A request of a client, as it came. */
export interface HeardRequest {
  readonly method: string
  /** Path with query, below the service's base address. */
  readonly path: string
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string }
  /** Undefined where it was too long to be held. */
  readonly bytes: Uint8Array | undefined
}

/** One request of a client whose answer is to be told. */
export interface HeardExchange {
  readonly operation: RequestEntry['operation']
  answered(status: number, headers: HeardRequest['headers'], seen: SeenAnswer): void
  failed(reason: FailureReason, message: string): void
}

/** One control connection of a client. */
export interface HeardChannel {
  opened(): void
  refused(refusal: Pick<ChannelRefusedEntry, 'reason' | 'message' | 'status'>): void
  sent(bytes: Buffer, binary: boolean): void
  received(bytes: Buffer, binary: boolean): void
  closed(by: ChannelClosedEntry['by'], code: number, reason: string): void
}

/** Writes the traffic of clients into a trace. Each thing is put there before it is handed on. */
export class Recorder {
  readonly #trace: TraceWriter
  readonly #redactor: Redactor
  readonly #keys: KeyNames
  readonly #repetitions = new Repetitions()
  #exchanges = 0
  #channels = 0
  #frames = 0

  constructor(trace: TraceWriter, redactor: Redactor, keys: KeyNames) {
    this.#trace = trace
    this.#redactor = redactor
    this.#keys = keys
  }

  get redactor(): Redactor {
    return this.#redactor
  }

  async request(heard: HeardRequest): Promise<HeardExchange> {
    const { method, path, bytes } = heard
    const { authorization } = heard.headers
    const operation = operationOf(method, path)
    const key = this.#keys.nameOf(authorization)
    const headers = {
      ...shownHeaders(heard.headers),
      ...(authorization === undefined ? {} : { authorization: this.#keys.shown(authorization) }),
    }
    const shown = bytes === undefined ? { text: '(too long to be kept)' } : await shownRequest(bytes, heard.headers)
    const name = createHash('sha256')
      .update(`${key} ${method} ${path}\n`)
      .update(bytes ?? '')
      .digest('base64')
    const { exchange, attempt } = this.#repetitions.begin(name, this.#trace.now(), () => (this.#exchanges += 1))
    const judged = judgedAs(operation, path)
    this.#trace.write({ kind: 'request', exchange, attempt, operation: judged, method, path, key, headers, ...shown })
    return {
      operation,
      answered: (status, answerHeaders, { note }) => {
        const { t } = this.#trace.write({
          kind: 'response',
          exchange,
          attempt,
          status,
          headers: shownHeaders(answerHeaders),
          ...note,
        })
        if (status === 429 || status >= 500) this.#repetitions.troubled(name, { exchange, attempt, t })
      },
      failed: (reason, message) => {
        const { t } = this.#trace.write({ kind: 'failure', exchange, attempt, reason, message })
        this.#repetitions.troubled(name, { exchange, attempt, t })
      },
    }
  }

  /**
   * @param url as the service gave it, with what the client put behind it
   * @param bearer what went in a header
   */
  channel(session: string, url: string, credential: ChannelOpenEntry['credential'], bearer?: string): HeardChannel {
    this.#channels += 1
    const channel = this.#channels
    const secret = bearer === undefined ? {} : { secret: bearer }
    this.#trace.write({ kind: 'channel-open', channel, session, url: this.#redactor.text(url), credential, ...secret })
    return {
      opened: () => void this.#trace.write({ kind: 'channel-opened', channel }),
      refused: (refusal) => void this.#trace.write({ kind: 'channel-refused', channel, ...refusal }),
      sent: (bytes, binary) => {
        const frame = this.#nextFrame()
        this.#trace.write({ kind: 'frame-sent', channel, frame, ...sentFrame(bytes, binary, this.#redactor) })
      },
      received: (bytes, binary) => {
        const frame = this.#nextFrame()
        this.#trace.write({ kind: 'frame-received', channel, frame, ...receivedFrame(bytes, binary, this.#redactor) })
      },
      closed: (by, code, reason) => void this.#trace.write({ kind: 'channel-closed', channel, by, code, reason }),
    }
  }

  #nextFrame(): number {
    this.#frames += 1
    return this.#frames
  }
}
