import type { Channel, Frame } from '#client/types'
import { watchFactor } from '#judge/timing/timeouts'
import type { AnyContext, Context } from '#scenario/author/context'
import type { Condition, EventRef, Pattern, Point } from '#trace/claim'
import { any, before, equals, event, eventually, inEvent, never, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { matches, matchesOne } from '#trace/match'
import { answersTo, errorAbout, errorsNaming, serversOwn } from './error-about.ts'
import { modelFactor } from './model/sessions.ts'
import { claim, claimAll, type Expect, type Expectations, onlyIf, type Terms } from './expectation.ts'
import type { Row } from './rows.ts'
import { nextOf } from './standstill.ts'
import type { Awaiting, FaultOptions } from './talk-options.ts'

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

/** After so many errors that named another event alone, any `error` is taken for the answer. */
const mostUnrelated = 2
/** Time for the real answer behind an `error` of the server's own, in milliseconds. */
const lingerMs = 250

/** So many scenarios watch for an event of one kind until its absence is certain. */
const mostWatched = 3

/** So many events in a row without an answer end a scenario. */
const mostSilences = 8

/**
 * Speaks on one control connection: claims first, then the event, then its answer, one after the other. Numbers of coming
 * frames are reserved, so that claims can name the end of what comes meanwhile.
 */
export class Talk<in R extends Row = never> {
  readonly context: Context
  readonly channel: Channel
  readonly #claims: AnyContext
  /** Numbers of the next frames. */
  readonly #reserved: number[] = []
  #silences = 0
  /** Something that was sent had its answer. */
  #answered = false
  #unrelated = 0
  readonly #misses = new Map<string, number>()

  constructor(context: AnyContext, channel: Channel) {
    this.context = context
    this.#claims = context
    this.channel = channel
  }

  get number(): number {
    return this.channel.channel
  }

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

  /** Writes claims for rows that say the same. */
  claim(rows: R | readonly R[], condition: Condition, terms: Terms = {}): undefined {
    for (const row of [rows].flat() as readonly R[]) claim(this.#claims, row, condition, terms)
  }

  /** Writes what is expected of what is sent next. */
  expect(expectations: Expectations<R> | undefined): void {
    claimAll(this.#claims, expectations)
  }

  /** The same for what is asked of every event of its kind: scenarios name `refusing` and `asking` among their steps. */
  expectOwn(expectations: Expectations<Row>): void {
    claimAll(this.#claims, expectations)
  }

  /** The first event after a point that fits. */
  event(match: Pattern, after: Point): EventRef {
    return { channel: this.number, match, after }
  }

  /** How long a model may take between two events, in milliseconds. */
  get modelPatience(): number {
    return modelFactor * this.patience
  }

  eventually(match: Pattern | readonly Pattern[], after: Point, { within, instead = [] }: Awaiting = {}): Condition {
    const more = instead.length === 0 ? {} : { instead }
    return eventually(this.number, after, match, within ?? this.patience, more)
  }

  /** @param until default: the end of the connection */
  never(match: Pattern | readonly Pattern[], from: Point, until: Point = this.closed): Condition {
    return never(this.number, match, from, until)
  }

  /**
   * An event that fits comes before something else is sent. We wait for each answer, so one that comes later belongs to
   * something else.
   *
   * @param until default: when the event after the next one is sent
   */
  inTime(
    match: Pattern,
    from: Point,
    until: Point = this.after(1),
    { within, instead = [] }: Awaiting = {},
  ): Condition {
    const more = instead.length === 0 ? { until } : { until, instead }
    return eventually(this.number, from, match, within ?? this.patience, more)
  }

  /** Of events of these types the first one after a point is of the first type. */
  leads(types: readonly string[], from: Point, where: Pattern['where'] = {}): Condition {
    const first = this.event({ where: { ...where, '/type': { $in: types } } }, from)
    return equals(inEvent(first, '/type'), value(types[0] ?? ''))
  }

  /** @returns the number of the frame */
  send(message: JsonObject | string): number {
    const frame = this.#reserved.shift() ?? this.channel.nextFrame()
    if (typeof message === 'string') this.channel.sendText(message, frame)
    else this.channel.send(message, frame)
    return frame
  }

  /** Sends a valid event and waits for its confirmation. */
  async say(message: JsonObject, match: Pattern, expect?: Expect<R, Said>): Promise<Heard> {
    const at = this.coming
    const instead = errorsNaming(message['event_id'])
    const said: Said = {
      at,
      answer: this.event(match, at),
      confirmed: this.inTime(match, at, undefined, { instead }),
    }
    this.expect(expect?.(said))
    return { ...said, reply: await this.hearOr(match, instead, this.send(message)) }
  }

  /** Waits for an event after a frame, or for what comes in its place. */
  async hearOr(match: Pattern, instead: readonly Pattern[], after: number): Promise<Frame | undefined> {
    const heard = await this.hear([match, ...instead], after)
    return heard !== undefined && matches(heard.data, match) ? heard : undefined
  }

  /**
   * Sends a faulty event and waits for the `error`.
   *
   * @param expect beside that its `error` names it
   * @param options `alone`: nothing else is outstanding in the session, so that an id in the `error` can only be its own
   * (default); `others`: what would answer it as well
   */
  async fault(
    message: JsonObject | string,
    expect: Expect<R, Faulty>,
    { alone = true, others = [] }: FaultOptions = {},
  ): Promise<Faulty> {
    const named = typeof message === 'string' ? undefined : message['event_id']
    const id = typeof named === 'string' ? named : undefined
    const faulty = this.#faulty(id, others)
    if (alone && id !== undefined && id.length <= 512) this.claimCause(faulty.at, id)
    this.expect(expect(faulty))
    const frame = this.send(message)
    await this.hearRefusal(id, frame, others)
    return faulty
  }

  /**
   * Waits for the `error` about an event of ours, or for what else would answer it. Errors about earlier events may come
   * late, and several times; one that names none may be about a failure of the server's own.
   *
   * @param id undefined where the event has none that could be named
   */
  async hearRefusal(
    id: string | undefined,
    after: number,
    others: readonly Pattern[] = [],
    kind = 'error',
  ): Promise<Frame | undefined> {
    const either = [event('error'), ...others]
    const own = id === undefined || this.#unrelated >= mostUnrelated ? either : [errorAbout(id), ...others]
    const heard = await this.#next(own, after, kind)
    if (heard === undefined) {
      const unrelated = this.channel.frames.find(({ frame, data }) => frame > after && matchesOne(data, either))
      if (unrelated === undefined && this.channel.state === 'open') this.miss(kind)
      if (unrelated !== undefined) this.#unrelated += 1
      return unrelated
    }
    this.#silences = 0
    if (id === undefined || !matches(heard.data, serversOwn)) return heard
    const named = event('error', { '/error/event_id': id })
    return (await this.channel.next([named, ...others], { after, within_ms: lingerMs })) ?? heard
  }

  /** Waits for an event after a frame. */
  async hear(match: Pattern | readonly Pattern[], after: number, kind = kindOf(match)): Promise<Frame | undefined> {
    const frame = await this.#next(match, after, kind)
    if (frame !== undefined) this.#silences = 0
    else if (this.channel.state === 'open') this.miss(kind)
    return frame
  }

  async #next(match: Pattern | readonly Pattern[], after: number, kind: string): Promise<Frame | undefined> {
    const within_ms = this.patienceFor(kind)
    const mayStandStill = this.#answered && within_ms >= this.patience
    const found = await nextOf(this.channel, this.context, { match, after, within_ms }, mayStandStill)
    this.#answered ||= found !== undefined
    return found
  }

  /**
   * How long to wait for an event of this kind, in milliseconds: until its absence would be certain, and less when it stayed
   * away before.
   */
  patienceFor(kind: string): number {
    const known = (this.context.silences.get(kind) ?? 0) < mostWatched ? 0 : 1
    const misses = Math.max(known, this.#misses.get(kind) ?? 0)
    if (misses < 2) return watchFactor * (this.patience + 20)
    return this.patience / 5
  }

  /** Says that an event of this kind stayed away. */
  miss(kind: string): void {
    const { silences } = this.context
    const misses = this.#misses.get(kind) ?? 0
    if (misses === 0) silences.set(kind, (silences.get(kind) ?? 0) + 1)
    this.#misses.set(kind, misses + 1)
    this.#silences += 1
    if (this.#silences < mostSilences) return
    this.context.block('prerequisite', 'the control channel leaves events unanswered')
  }

  /** Sends a last event, which ends what claims say of the one before, and closes the connection. */
  async leave(): Promise<void> {
    await this.context.hearLate(this.channel)
    const [event_id, item_id] = [this.context.id('last'), this.context.id('no-item')]
    this.send({ type: 'conversation.item.retrieve', event_id, item_id })
    await this.channel.close()
  }

  /** What our claims say of the answer to a faulty event: it names the event, or comes before anything else is sent. */
  #faulty(id: string | undefined, instead: readonly Pattern[]): Faulty {
    const at = this.coming
    const inTime = this.inTime(event('error'), at, undefined, { instead })
    if (id === undefined) return { at, id, rejected: inTime }
    return {
      at,
      id,
      rejected: any(this.eventually(event('error', { '/error/event_id': id }), at, { instead }), inTime),
    }
  }

  /** Where the `error` about an earlier event comes meanwhile, or comes again, what answers this one comes as well. */
  claimCause(at: Point, id: string): void {
    const cause = this.event(event('error', { '/error/event_id': { $present: true, $not: null } }), at)
    const own = any(equals(inEvent(cause, '/error/event_id'), value(id)), this.eventually(answersTo(id), at))
    this.expectOwn({ 'error.event-id-names-cause': onlyIf(before({ event: cause }, this.after(1)), own) })
  }
}

function kindOf(match: Pattern | readonly Pattern[]): string {
  const [first] = [match].flat() as readonly Pattern[]
  return first?.type ?? ''
}
