import { FrameReader, type ServerEvent } from '../core/events/frames.ts'
import type { Histogram } from '../core/histogram.ts'
import type { Session } from '../core/envelope.ts'
import type { ChannelMachine, Connection, ConnectionEnd, Listener } from './machine.ts'

/** How long the other side may take to close, in milliseconds. */
const GOODBYE_MS = 2_000

/** Of how many events one is asked how long it lay in the generator, since asking costs a tenth of reading it. */
const LAG_SAMPLE = 8

/** What came of opening: `unsafe` where load must not go to the control URL. */
export type Opening = 'opened' | 'refused' | 'late' | 'unsafe'

/** One control connection of a session: opens it in time, counts its events, and tells when it ended. */
export class ControlChannel implements Listener {
  /** When it ended; what is sent later is lost. */
  readonly ended: Promise<void>
  /** When it opened, on the machine's clock. */
  openedAt = 0
  endedAt = 0
  /** With which code the other side closed it, if it did. */
  endedBy: number | undefined
  readonly #machine: ChannelMachine
  readonly #session: Session
  readonly #hear: (event: ServerEvent, at: number) => void
  readonly #reader = new FrameReader()
  // Held, because every event needs them.
  readonly #lag: Histogram
  #heard = 0
  /** Which of them was the last that was counted by its type. */
  #counted = 0
  /** Gets the text of a delta that follows one of the same item; undefined while every event is wanted whole. */
  #more: ((text: string, at: number) => void) | undefined
  #quiet = false
  #connection: Connection | undefined
  #opening: (opening: Opening) => void = () => undefined
  #end: () => void = () => undefined

  /** @param hear gets every event until `close` */
  constructor(machine: ChannelMachine, session: Session, hear: (event: ServerEvent, at: number) => void) {
    this.#machine = machine
    this.#session = session
    this.#hear = hear
    this.#lag = machine.tally.time('handler_lag_ms')
    this.ended = new Promise((resolve) => (this.#end = resolve))
  }

  /** k6 itself gives a handshake 60 s, so the time for it is ours. What was refused may be opened again. */
  async open(): Promise<Opening> {
    const { tally, workload } = this.#machine
    const asked = this.#machine.now()
    const outcome = new Promise<Opening>((resolve) => (this.#opening = resolve))
    this.#connection = this.#machine.connect(this.#session, this)
    if (this.#connection === undefined) return 'unsafe'
    const callOff = this.#machine.later(workload.patience_ms, () => this.#opening('late'))
    const opening = await outcome
    callOff()
    tally.count('upgrades', opening)
    if (opening === 'opened') tally.time('connect_ms').record(this.openedAt - asked)
    else this.#connection.close()
    return opening
  }

  opened(at: number): void {
    this.openedAt = at
    this.#opening('opened')
  }

  heard(frame: unknown, at: number): void {
    if (this.#quiet) return
    this.#heard += 1
    if (this.#heard % LAG_SAMPLE === 1) this.#lag.record(this.#machine.now() - at)
    // Nearly all frames are deltas that follow a delta of the same item, and end here.
    const more = this.#more
    if (more !== undefined) {
      const text = this.#reader.more(frame)
      if (text !== undefined) {
        more(text, at)
        return
      }
    }
    this.#countDeltas(this.#heard - 1)
    this.#counted = this.#heard
    const event = this.#reader.read(frame)
    this.#machine.tally.count('events', event?.type ?? 'unreadable')
    this.#more = undefined
    if (event !== undefined) this.#hear(event, at)
  }

  /** Counts what went the quick way. */
  #countDeltas(heard = this.#heard): void {
    const deltas = heard - this.#counted
    if (deltas === 0) return
    this.#machine.tally.count('events', 'response.output_text.delta', deltas)
    this.#counted = heard
  }

  closed({ opened, at, code }: ConnectionEnd): void {
    this.#countDeltas()
    this.endedAt = at
    this.endedBy = code
    if (opened) this.#end()
    // It may be opened again.
    else this.#opening('refused')
  }

  /** From the next frame on until the next event that is no delta of the same item. */
  takeMore(more: ((text: string, at: number) => void) | undefined): void {
    this.#more = more
  }

  /** How many frames came. */
  get frames(): number {
    return this.#heard
  }

  /** @returns when it was sent; undefined when the connection is gone */
  send(event: object): number | undefined {
    return this.#connection?.send(JSON.stringify(event))
  }

  /** Hangs up; the other side may take its time, but not for ever. */
  async close(code?: number): Promise<void> {
    this.#quiet = true
    this.#countDeltas()
    this.#connection?.close(code)
    const callOff = this.#machine.later(GOODBYE_MS, this.#end)
    await this.ended
    callOff()
  }
}
