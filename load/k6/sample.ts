import type { RestAnswer, Session } from '../core/envelope.ts'
import type { SecretFilter } from '../core/secrets.ts'
import type { Connection, ConnectionEnd, Listener, RestRequest } from '../scenarios/machine.ts'

/** RFC 6455: a connection that ended without a closing handshake. */
const NO_CLOSE_FRAME = 1_006

/** What an answer was before it was read. */
export interface RawAnswer {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** A generator that is late by this much hears nothing meanwhile; by less every busy one is. */
const HALT_MS = 200

/**
 * Records one iteration in full: a line of stdout for each entry, as a trace has them (`src/trace/entry.ts`), without
 * secrets. Exchanges, channels and frames are numbered within the iteration; `t` is on the machine's clock.
 */
export class Sample {
  readonly #conversation: string
  readonly #now: () => number
  readonly #secrets: SecretFilter
  readonly #last = { exchange: 0, channel: 0, frame: 0 }

  constructor(conversation: string, now: () => number, secrets: SecretFilter) {
    this.#conversation = conversation
    this.#now = now
    this.#secrets = secrets
  }

  #print(t: number, entry: object): void {
    const clean = this.#secrets.clean({ ...entry, t })
    console.log(`greenroom-sample ${JSON.stringify({ conversation: this.#conversation, entry: clean })}`)
  }

  /** How late a timer came: for so long nobody listened, which who judges what did not come in time has to know. */
  late(ms: number): void {
    if (ms >= HALT_MS) this.#print(this.#now(), { kind: 'halt', ms: Math.round(ms) })
  }

  /** @returns the number of the exchange */
  request({ operation, method, path, body }: RestRequest, key: string): number {
    this.#last.exchange += 1
    const exchange = this.#last.exchange
    const headers = { authorization: `Bearer [api_key ${key}]` }
    const sent = body === undefined ? {} : { body }
    this.#print(this.#now(), { kind: 'request', exchange, attempt: 1, operation, method, path, key, headers, ...sent })
    return exchange
  }

  answer(exchange: number, { status, answeredAt }: RestAnswer, raw: RawAnswer | undefined): void {
    if (status === 0 || raw === undefined) {
      const failure = { kind: 'failure', exchange, attempt: 1, reason: 'timeout', message: 'no answer came' }
      this.#print(answeredAt, failure)
      return
    }
    const headers = Object.fromEntries(Object.entries(raw.headers).map(([name, value]) => [name.toLowerCase(), value]))
    const read = bodyOf(raw.body)
    this.#print(answeredAt, {
      kind: 'response',
      exchange,
      attempt: 1,
      status,
      headers,
      ...read,
      bytes: raw.body.length,
    })
  }

  /** Records what goes over a connection. */
  connection({ id, url, secret }: Session, listener: Listener, open: (listener: Listener) => Connection): Connection {
    this.#last.channel += 1
    const channel = this.#last.channel
    this.#secrets.learn(secret, 'client_secret')
    const token = `${url.includes('?') ? '&' : '?'}token=${secret}`
    this.#print(this.#now(), { kind: 'channel-open', channel, session: id, url: `${url}${token}`, credential: 'query' })
    let ours = false
    const recorded: Listener = {
      opened: (at) => {
        this.#print(at, { kind: 'channel-opened', channel })
        listener.opened(at)
      },
      heard: (frame, at) => {
        this.#heard(channel, frame, at)
        listener.heard(frame, at)
      },
      closed: (end) => {
        this.#closed(channel, end, ours)
        listener.closed(end)
      },
    }
    const connection = open(recorded)
    return {
      send: (frame) => {
        this.#last.frame += 1
        const entry = { kind: 'frame-sent', channel, frame: this.#last.frame, data: JSON.parse(frame) as unknown }
        const at = connection.send(frame)
        if (at !== undefined) this.#print(at, entry)
        return at
      },
      close: (code) => {
        ours = true
        connection.close(code)
      },
    }
  }

  #heard(channel: number, frame: unknown, at: number): void {
    this.#last.frame += 1
    const place = { kind: 'frame-received', channel, frame: this.#last.frame }
    if (typeof frame !== 'string') this.#print(at, { ...place, problem: 'binary', bytes: 0 })
    else {
      const { body, problem, text } = bodyOf(frame)
      const read = problem === undefined ? { data: body } : { text, problem: 'not-json' }
      this.#print(at, { ...place, ...read, bytes: frame.length })
    }
  }

  #closed(channel: number, { at, opened, code }: ConnectionEnd, ours: boolean): void {
    if (!opened) {
      const entry = { kind: 'channel-refused', channel, reason: 'refused', message: 'k6 tells no more' }
      this.#print(at, entry)
      return
    }
    // k6 says 1006 where no close frame came: nobody knows then who ended it.
    const by = ours ? 'us' : code === undefined || code === NO_CLOSE_FRAME ? 'network' : 'target'
    this.#print(at, { kind: 'channel-closed', channel, by, code: code ?? (ours ? 1_000 : NO_CLOSE_FRAME), reason: '' })
  }
}

/** A body as an entry holds it. */
function bodyOf(text: string): { body?: unknown; problem?: 'not-json' | 'empty'; text?: string } {
  if (text === '') return { problem: 'empty' }
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return { problem: 'not-json', text: text.slice(0, 2_000) }
  }
}
