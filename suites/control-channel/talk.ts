import type { Channel, Frame } from '../../src/client/types.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { Condition, EventRef, Pattern, Point } from '../../src/trace/claim.ts'
import { all, any, before, equals, event, eventually, inEvent, never, value } from '../../src/trace/conditions.ts'
import type { Json, JsonObject } from '../../src/trace/json.ts'
import type { Row } from './rows.ts'

/** An event of ours, before it is sent: what claims can say of it. */
export interface Said {
  /** The moment at which it is sent. */
  readonly at: Point
  /** The first event after it that fits. */
  readonly answer: EventRef
  readonly confirmed: Condition
}

/** An event that was answered, or not. */
export interface Heard extends Said {
  readonly reply: Frame | undefined
}

/** A faulty event, before it is sent. */
export interface Faulty {
  readonly at: Point
  readonly id: string | undefined
  /** It is answered with an `error` that names it, or with one that comes before anything else is sent. */
  readonly rejected: Condition
}

export interface ClaimOptions {
  readonly given?: readonly Condition[]
  /** Where a correct target may well leave `given` unmet. */
  readonly choice?: boolean
}

/** So many events in a row without an answer end a scenario. */
const mostSilences = 8

/**
 * Speaks on one control connection: claims first, then the event, then its answer, one after the other. Numbers of coming
 * frames are reserved, so that claims can name the end of what comes meanwhile.
 */
export class Talk {
  readonly context: Context
  readonly channel: Channel
  /** Numbers of the next frames. */
  readonly #reserved: number[] = []
  #silences = 0
  readonly #misses = new Map<string, number>()

  constructor(context: Context, channel: Channel) {
    this.context = context
    this.channel = channel
  }

  get number(): number {
    return this.channel.channel
  }

  /** How long an answer may take, in milliseconds. */
  get patience(): number {
    return this.context.timeouts.event_ms
  }

  get opened(): Point {
    return { channel: this.number, edge: 'opened' }
  }

  get closed(): Point {
    return { channel: this.number, edge: 'closed' }
  }

  /** The moment at which the next event is sent. */
  get coming(): Point {
    return this.after(0)
  }

  /** The moment at which the event after so many others is sent. */
  after(others: number): Point {
    while (this.#reserved.length <= others) this.#reserved.push(this.channel.nextFrame())
    return { frame: this.#reserved[others] ?? 0 }
  }

  claim(rows: Row | readonly Row[], condition: Condition, { given = [], choice = false }: ClaimOptions = {}): void {
    const options = { given, ...(choice ? { given_code: 'model_choice' as const } : {}) }
    for (const one of [rows].flat() as readonly Row[]) {
      this.context.claim(`control-channel.${one}`, condition, given.length === 0 ? {} : options)
    }
  }

  /** The first event after a point that fits. */
  event(match: Pattern, after: Point): EventRef {
    return { channel: this.number, match, after }
  }

  eventually(match: Pattern | readonly Pattern[], after: Point, within = this.patience): Condition {
    return eventually(this.number, after, match, within)
  }

  /** @param until default: the end of the connection */
  never(match: Pattern | readonly Pattern[], from: Point, until: Point = this.closed): Condition {
    return never(this.number, match, from, until)
  }

  /** @returns the number of the frame */
  send(message: JsonObject | string): number {
    const frame = this.#reserved.shift() ?? this.channel.nextFrame()
    if (typeof message === 'string') this.channel.sendText(message, frame)
    else this.channel.send(message, frame)
    return frame
  }

  /** Sends a valid event and waits for its confirmation. */
  async say(message: JsonObject, match: Pattern, write?: (said: Said) => void): Promise<Heard> {
    const at = this.coming
    const said: Said = { at, answer: this.event(match, at), confirmed: this.eventually(match, at) }
    write?.(said)
    const frame = this.send(message)
    return { ...said, reply: await this.hear(match, frame) }
  }

  /**
   * Sends a faulty event and waits for the `error`.
   *
   * @param write claims beside that of `error.event_id`
   */
  async fault(message: JsonObject | string, write: (faulty: Faulty) => void): Promise<Faulty> {
    const id = typeof message === 'string' ? undefined : textOf(message['event_id'])
    const faulty = this.#faulty(id)
    if (id !== undefined && id.length <= 512) this.#claimCause(faulty.at, id)
    write(faulty)
    const frame = this.send(message)
    await this.hear(event('error'), frame)
    return faulty
  }

  /** Waits for an event after a frame. What stays away time and again, kind by kind, is not waited for as long. */
  async hear(match: Pattern, after: number, kind = match.type ?? ''): Promise<Frame | undefined> {
    const missed = this.#misses.get(kind) ?? 0
    const within_ms = missed < 2 ? this.patience + 20 : this.patience / 5
    const frame = await this.channel.next(match, { after, within_ms })
    if (frame === undefined && this.channel.state !== 'open') return undefined
    this.#silences = frame === undefined ? this.#silences + 1 : 0
    if (frame === undefined) this.#misses.set(kind, missed + 1)
    if (this.#silences >= mostSilences)
      this.context.block('prerequisite', 'the control channel leaves events unanswered')
    return frame
  }

  /** What our claims say of the answer to a faulty event: it names the event, or comes before anything else is sent. */
  #faulty(id: string | undefined): Faulty {
    const at = this.coming
    const error = event('error')
    const inTime = all(this.eventually(error, at), before({ event: this.event(error, at) }, this.after(1)))
    if (id === undefined) return { at, id, rejected: inTime }
    return { at, id, rejected: any(this.eventually(event('error', { '/error/event_id': id }), at), inTime) }
  }

  /** Nothing else is outstanding, so an id in the `error` can only be that of the faulty event. */
  #claimCause(at: Point, id: string): void {
    const cause = this.event(event('error', { '/error/event_id': { $present: true, $not: null } }), at)
    this.claim('error.event-id-names-cause', equals(inEvent(cause, '/error/event_id'), value(id)), {
      given: [before({ event: cause }, this.after(1))],
      choice: true,
    })
  }
}

function textOf(value_: Json | undefined): string | undefined {
  return typeof value_ === 'string' ? value_ : undefined
}
