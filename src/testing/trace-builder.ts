import type { Claim, Condition } from '#trace/claim'
import type { ChannelClosedEntry, Entry, FailureReason, HeaderEntry, ResponseEntry } from '#trace/entry'
import type { Json } from '#trace/json'

/** Builds traces by hand for tests of the judge: every call appends an entry a millisecond later. */
export class TraceBuilder {
  readonly entries: Entry[] = []
  private now = 0
  private numbers = 0

  constructor(header: Partial<HeaderEntry> = {}) {
    this.entries.push({
      kind: 'header',
      t: 0,
      format: 'greenroom.trace/1',
      greenroom: '0.0.0',
      spec: '1.0.0',
      date: '2026-01-15T12:00:00.000Z',
      run: 'r1',
      seed: 1,
      tier: 'standard',
      only: [],
      profile: { base_url: 'https://target.example', keys: { primary: 'KEY' } },
      keys: ['primary'],
      register: 'digest',
      manifest: [],
      skipped: [],
      ...header,
    })
  }

  /** Lets `ms` pass. */
  pass(ms: number): this {
    this.now += ms
    return this
  }

  /** A request with its answer; returns the exchange's number. */
  rest(
    operation: string,
    response:
      | {
          status?: number
          body?: Json
          text?: string
          problem?: Exclude<ResponseEntry['problem'], undefined>
          headers?: { readonly [name: string]: string }
        }
      | FailureReason,
    sent: Json = {},
    key = 'primary',
    path = '/',
  ): number {
    const exchange = this.number()
    this.request(exchange, operation, sent, key, path)
    if (typeof response === 'string') return this.failed(exchange, response)
    const { status = 200, ...rest } = response
    this.add({ kind: 'response', exchange, attempt: 1, status, headers: {}, bytes: 10, ...rest, t: this.tick() })
    return exchange
  }

  /** A request that is still to be answered. */
  request(exchange: number, operation = 'get-avatar-session', body: Json = {}, key = 'primary', path = '/'): this {
    const sent = { operation, method: 'POST', path, key, headers: {}, body } as const
    return this.add({ kind: 'request', exchange, attempt: 1, ...sent, t: this.tick() })
  }

  /** Its end without an answer. */
  failed(exchange: number, reason: FailureReason): number {
    this.add({ kind: 'failure', exchange, attempt: 1, reason, message: reason, t: this.tick() })
    return exchange
  }

  /** A further attempt of an exchange. */
  again(exchange: number, response: Parameters<TraceBuilder['rest']>[1]): this {
    const first = this.entries.find((one) => one.kind === 'request' && one.exchange === exchange)
    if (first?.kind !== 'request') throw new Error(`there is no exchange ${exchange}`)
    const { operation, body = null, key, path } = first
    const from = this.entries.length
    this.rest(operation ?? '', response, body, key, path)
    for (const one of this.entries.slice(from)) Object.assign(one, { exchange, attempt: 2 })
    return this
  }

  /** A create that succeeds with this session id. */
  created(id = 'session-a', key?: string): number {
    const sent = key === undefined ? {} : { idempotency_key: key }
    return this.rest('create-avatar-session', { body: { code: 0, message: 'ok', data: { session_id: id } } }, sent)
  }

  opened(session = 'session-a'): number {
    const channel = this.number()
    this.add({
      kind: 'channel-open',
      channel,
      session,
      url: 'wss://target.example/',
      credential: 'query',
      t: this.tick(),
    })
    this.add({ kind: 'channel-opened', channel, t: this.tick() })
    return channel
  }

  refused(status?: number): number {
    const channel = this.number()
    this.add({
      kind: 'channel-open',
      channel,
      session: 'session-a',
      url: 'wss://target.example/',
      credential: 'query',
      t: this.tick(),
    })
    const how = status === undefined ? { reason: 'timeout' as const } : { reason: 'status' as const, status }
    this.add({ kind: 'channel-refused', channel, ...how, message: 'refused', t: this.tick() })
    return channel
  }

  /** Tries to open one channel, each refused with its status, or by a reset. */
  refusedUpgrades(tries: readonly { readonly status: number | undefined; readonly after: number }[]): number {
    const [first, ...others] = tries
    const channel = this.refused(first?.status)
    for (const { status, after } of others) {
      const from = this.pass(after).entries.length
      this.refused(status)
      for (const one of this.entries.slice(from)) Object.assign(one, { channel })
    }
    return channel
  }

  /** The channel opens at a further try. */
  reopened(channel: number): this {
    const from = this.entries.length
    this.opened()
    for (const one of this.entries.slice(from)) Object.assign(one, { channel })
    return this
  }

  sent(channel: number, data: Json): number {
    const frame = this.number()
    this.add({ kind: 'frame-sent', channel, frame, data, t: this.tick() })
    return frame
  }

  received(channel: number, data: Json): number {
    const frame = this.number()
    this.add({ kind: 'frame-received', channel, frame, data, bytes: 10, t: this.tick() })
    return frame
  }

  closed(channel: number, by: ChannelClosedEntry['by'], code = 1000): this {
    return this.add({ kind: 'channel-closed', channel, by, code, reason: '', t: this.tick() })
  }

  /** Found dead: nothing came since `silent_since`, and no pong. */
  foundDead(channel: number, silent_since: number): this {
    const reason = 'not even a ping was answered'
    return this.add({
      kind: 'channel-closed',
      channel,
      by: 'network',
      code: 1006,
      reason,
      silent_since,
      t: this.tick(),
    })
  }

  mark(label = 'mark'): number {
    const mark = this.number()
    this.add({ kind: 'mark', mark, label, t: this.tick() })
    return mark
  }

  /** So many milliseconds go by in which Greenroom itself stands still. */
  halted(ms: number): this {
    return this.pass(ms).add({ kind: 'halt', ms, t: this.tick() })
  }

  claim(requirement: string, condition: Condition, more: Partial<Claim> = {}): this {
    return this.add({ kind: 'claim', claim: this.number(), requirement, condition, ...more, t: this.tick() })
  }

  end(): this {
    return this.add({ kind: 'end', outcome: 'completed', t: this.tick() })
  }

  add(entry: Entry): this {
    this.entries.push(entry)
    return this
  }

  private tick(): number {
    this.now += 1
    return this.now
  }

  /** The next number of what has one. */
  number(): number {
    this.numbers += 1
    return this.numbers
  }
}
