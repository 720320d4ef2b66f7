import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from '../trace-index.ts'
import { mayHaveTimedOut } from './own-timers.ts'

interface Told {
  readonly disconnected?: number | string
  readonly idle?: number
  readonly duration?: number
}

/** A session of which the service told these timers; all moments count from its create. */
class Session {
  readonly #trace = new TraceBuilder()
  readonly #created: number

  constructor({ disconnected = 0, idle = 0, duration }: Told) {
    const auto_close = { disconnected_timeout_seconds: disconnected, interaction_idle_timeout_seconds: idle }
    const data = { session_id: 's1', auto_close }
    const body = duration === undefined ? {} : { max_duration_seconds: duration }
    this.#trace.rest('create-avatar-session', { body: { code: 0, message: 'ok', data } }, body)
    const [create] = indexTrace(this.#trace.entries).exchanges.values()
    this.#created = create?.attempts[0]?.request.entry.t ?? 0
  }

  /** Connected for so long, with an event of ours at the end. */
  connected(ms: number): this {
    const channel = this.#trace.opened('s1')
    this.#trace.pass(ms)
    this.#trace.sent(channel, { type: 'session.update', session: {} })
    this.#trace.closed(channel, 'us')
    return this
  }

  /** Connected to the end. */
  open(): this {
    this.#trace.opened('s1')
    return this
  }

  isOverAfter(seconds: number): boolean {
    return mayHaveTimedOut(indexTrace(this.#trace.end().entries), 's1', this.#created + seconds * 1_000)
  }
}

test.each<[what: string, session: Session, seconds: number, over: boolean]>([
  ['before its timeout', new Session({ disconnected: 12 }), 11, false],
  ['after its timeout', new Session({ disconnected: 12 }), 12, true],
  ['after a timeout that is told as a string', new Session({ disconnected: '12' }), 13, true],
  ['connected all the time', new Session({ disconnected: 12 }).open(), 60, false],
  ['connected until a moment ago', new Session({ disconnected: 12 }).connected(20_000), 25, false],
  ['long after its last connection', new Session({ disconnected: 12 }).connected(20_000), 33, true],
  ['idle for too short', new Session({ idle: 30 }).connected(20_000).open(), 49, false],
  ['idle for long', new Session({ idle: 30 }).connected(20_000).open(), 51, true],
  ['after its duration', new Session({ duration: 4 }).open(), 4, true],
  ['without any timer', new Session({}), 3_000, false],
])('%s: whether a timer may have ended it', (_what, session, seconds, over) => {
  expect(session.isOverAfter(seconds)).toBe(over)
})
