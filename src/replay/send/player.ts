import type { Channel, Exchange } from '#client/types'
import { anotherWayLabel } from '#judge/sent-again'
import { creationOf } from '#scenario/journal/creations'
import type { AnyContext, OpenSession } from '#scenario/author/context'
import type { KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import type {
  ChannelClosedEntry,
  ChannelOpenEntry,
  Entry,
  FrameReceivedEntry,
  FrameSentEntry,
  RequestEntry,
  WaitEntry,
} from '#trace/entry'
import { at, type Json, textAt } from '#trace/json'
import { contentOf, idsTold, isSent, textsSent } from '../cut/ids.ts'
import { binaryBytes, endedByEvent } from '../recorded.ts'
import { type Bindings, createBindings } from './bindings.ts'
import { type CallTools, callOf } from './call-of.ts'
import { openingOf } from './reopened-connection.ts'
import { createHearer, type Hearer } from './hearer.ts'
import type { InVain } from './in-vain.ts'
import {
  answersLastSent,
  brokenOff,
  exchangesInQuestion,
  expectsRefusal,
  hearOut,
  isUnanswered,
  offersOtherwise,
  type PlayTools,
  type Recording,
} from './recording.ts'
import { settled } from './settled.ts'
import { claimNow, createNumbers, type Numbers } from './numbers.ts'

/**
 * Sends recorded steps again, in their order: what went out before an answer came goes out before it comes this time, too.
 * Ids, tokens and secrets are those of this time's answers.
 */
export class Player {
  readonly #context: AnyContext
  readonly #steps: readonly Entry[]
  readonly #bindings: Bindings
  readonly #numbers: Numbers
  readonly #calls: Omit<CallTools, 'bindings'>
  readonly #exchanges = new Map<number, Promise<Exchange>>()
  readonly #openings = new Map<number, Promise<Channel>>()
  readonly #channels = new Map<number, Channel>()
  readonly #hearers = new Map<number, Hearer>()
  /** By channel of the recording: frames that came by the time of the last send have no higher number. */
  readonly #lastSent = new Map<number, number>()
  readonly #sessions = new Map<string, OpenSession>()
  /** `control.url` by session, both of the recording. */
  readonly #urls = new Map<string, string>()
  /** Texts that were sent so far, as recorded: what answers repeat of them is no news. */
  readonly #said = new Set<string>()
  readonly #channelOf: ReadonlyMap<number, number>
  readonly #vain: InVain
  /** Texts that this time's answers do not have, as recorded. */
  readonly #gone = new Set<string>()
  /** Exchanges whose answers may be other ones this time: that is the question. */
  readonly #inQuestion: ReadonlySet<number>
  #latest: Channel | undefined

  constructor(context: AnyContext, recording: Recording, tools: PlayTools) {
    const { steps } = recording
    this.#context = context
    this.#vain = tools.vain
    this.#steps = steps
    this.#inQuestion = exchangesInQuestion(recording)
    const mark = /^x-(.+)-\d+$/.exec(context.id('x'))?.[1] ?? tools.ids
    this.#bindings = createBindings(recording.run, { ids: tools.ids, mark })
    const gates = Object.keys(context.profile.headers ?? {}).map((name) => name.toLowerCase())
    this.#calls = { uploads: tools.uploads, gates: new Set(gates) }
    this.#channelOf = new Map(steps.flatMap((entry) => ('frame' in entry ? [[entry.frame, entry.channel]] : [])))
    this.#numbers = createNumbers(context, (frame) => this.#reserve(frame))
  }

  async play(): Promise<void> {
    try {
      for (const [place, entry] of this.#steps.entries()) {
        await this.#step(entry, place)
        if (this.#vain.over !== undefined) this.#stop(this.#vain.over)
      }
      await Promise.all([...this.#channels.values()].map(hearOut))
    } finally {
      await Promise.allSettled([...this.#exchanges.values(), ...this.#openings.values()])
    }
  }

  async #step(entry: Entry, place: number): Promise<void> {
    if (isSent(entry)) this.#note(textsSent(entry))
    switch (entry.kind) {
      case 'claim': {
        const { condition, terms } = claimNow(entry, this.#numbers, this.#bindings)
        return this.#context.claim(entry.requirement as Parameters<AnyContext['claim']>[0], condition, terms)
      }
      case 'mark':
        return this.#numbers.is('mark', entry.mark, this.#context.mark(entry.label))
      case 'request':
        return this.#send(entry)
      case 'response':
      case 'failure':
        return this.#answered(entry)
      case 'channel-open':
        return this.#open(entry)
      case 'channel-opened':
      case 'channel-refused':
        return this.#opened(entry)
      case 'channel-closed':
        return this.#close(entry)
      case 'frame-sent':
        return this.#say(entry)
      case 'frame-received':
        return this.#hearers.get(entry.channel)?.hear(entry)
      case 'wait':
        return this.#wait(entry, place)
      default:
        return undefined
    }
  }

  /** What was said then may be something that nobody told this time. */
  #note(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#gone.has(text) && !this.#bindings.has(text)) {
        this.#stop('an answer lacks an id or token that was sent back then')
      }
      if (this.#bindings.has(text) && !this.#bindings.knows(text)) {
        this.#otherWay('which event told an id that is sent back had to be guessed')
      }
      this.#said.add(text)
    }
  }

  /** Further attempts are the client's own business. */
  async #send(entry: RequestEntry): Promise<void> {
    const { exchange, operation, key } = entry
    if (this.#exchanges.has(exchange) || operation === null) return
    const named = key as KeyName | 'none' | 'malformed'
    if (named !== 'none' && named !== 'malformed' && !this.#context.has(named)) {
      this.#context.block('prerequisite', `the profile gives no key ${key}`)
    }
    const call = this.#callOf(entry)
    const passing = creationOf(operation as OperationId) === undefined ? {} : { passing: 30006 }
    const numbered = { ...passing, ...call, exchange: this.#numbers.exchange(exchange) }
    const sent = this.#context.call(operation as OperationId, numbered)
    // Whoever waits for it hears of what goes wrong.
    sent.catch(() => undefined)
    this.#exchanges.set(exchange, sent)
  }

  #callOf(entry: RequestEntry): ReturnType<typeof callOf> {
    try {
      return callOf(entry, { ...this.#calls, bindings: this.#bindings })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      return this.#context.block('prerequisite', `an uploaded file is not there: ${error.message}`)
    }
  }

  async #answered(entry: Extract<Entry, { kind: 'response' | 'failure' }>): Promise<void> {
    const request = this.#steps.find((one) => one.kind === 'request' && one.exchange === entry.exchange)
    const first = await this.#exchanges.get(entry.exchange)
    if (first === undefined || request?.kind !== 'request') return
    if (entry.kind === 'response' && first.status === 0) this.#vain.unanswered()
    const recorded = contentOf(entry)
    const answer = await this.#settled(request, recorded, first)
    this.#learn(entry, answer.body)
    this.#compare(request, recorded, answer)
    const [session, url] = [textAt(recorded, '/data/session_id'), textAt(recorded, '/data/control/url')]
    if (session !== undefined && url !== undefined) this.#urls.set(session, url)
    const makes = /^create-(?:avatar-session|session-from-character)$/.test(request.operation ?? '')
    if (!makes || !answer.ok || textAt(answer.body, '/data/session_id') === undefined) return
    const open = this.#context.adopt(answer, request.key as KeyName)
    this.#sessions.set(open.id, open)
  }

  #settled(request: RequestEntry, recorded: Json | undefined, first: Exchange): Promise<Exchange> {
    return settled(this.#context, { request, recorded, first }, this.#vain, () =>
      this.#context.call(request.operation as OperationId, {
        ...this.#callOf(request),
        exchange: this.#numbers.exchange(request.exchange),
      }),
    )
  }

  /** Where something else comes than came then, before what broke the requirement, nobody recorded how to go on. */
  #compare({ exchange, attempt }: RequestEntry, recorded: Json | undefined, answer: Exchange): void {
    const wasOk = at(recorded, '/code') === 0
    const known = recorded !== undefined && answer.code !== undefined && attempt === 1
    if (!known || this.#inQuestion.has(exchange)) return
    if (wasOk !== answer.ok) {
      const [then, now] = wasOk ? ['accepted', 'refused'] : ['refused', 'accepted']
      this.#stop(`a request is ${now} that was ${then} before it broke`)
    }
    if (offersOtherwise(recorded, answer.body)) this.#stop('the session has other capabilities than it had')
  }

  #stop(how: string): never {
    this.#otherWay(how)
    return this.#context.block('prerequisite', how)
  }

  /** Things went otherwise than then, so that what follows was never recorded: who judges reads it in the trace. */
  #otherWay(how: string): void {
    this.#context.mark(anotherWayLabel(how))
  }

  /** What the recording told at some places is what stands there this time. */
  #learn(entry: Entry, now: Json | undefined, guess = false): void {
    for (const { text, pointer } of idsTold(contentOf(entry))) {
      const live = at(now, pointer)
      if (this.#said.has(text)) continue
      if (typeof live === 'string' && live !== '') this.#bindings.bind(text, live, guess)
      else this.#gone.add(text)
    }
  }

  async #open(entry: ChannelOpenEntry): Promise<void> {
    const { channel } = entry
    if (this.#openings.has(channel)) return
    const session = this.#sessions.get(this.#bindings.text(entry.session))
    if (session === undefined) this.#context.block('prerequisite', 'the session of a control channel was not made')
    const opening = this.#context.open(session, {
      ...openingOf(entry, this.#urls.get(entry.session), session, this.#bindings),
      channel: this.#numbers.channel(channel),
      ...(expectsRefusal(this.#steps, channel) ? { expects_refusal: true } : {}),
    })
    opening.catch(() => undefined)
    this.#openings.set(channel, opening)
  }

  async #opened({
    kind,
    channel: recorded,
  }: Extract<Entry, { kind: 'channel-opened' | 'channel-refused' }>): Promise<void> {
    const channel = await this.#openings.get(recorded)
    if (channel === undefined) return
    if (kind === 'channel-opened' && isUnanswered(channel)) this.#vain.unanswered()
    this.#channels.set(recorded, channel)
    this.#latest = channel
    if (this.#hearers.has(recorded)) return
    const learn = (entry: Entry, now: Json | undefined, guess: boolean) => this.#learn(entry, now, guess)
    const number = (frame: number, now: number) => this.#numbers.is('frame', frame, now)
    const said = (text: string) => this.#said.has(text)
    const lastSent = () => this.#lastSent.get(recorded) ?? 0
    const { event_ms } = this.#context.timeouts
    const answersLast = (entry: FrameReceivedEntry) => answersLastSent(this.#steps, entry)
    const otherWay = (how: string) => this.#otherWay(how)
    const tools = {
      bindings: this.#bindings,
      said,
      learn,
      number,
      lastSent,
      answersLast,
      otherWay,
      vain: this.#vain,
      event_ms,
    }
    this.#hearers.set(recorded, createHearer(channel, tools))
  }

  async #close({ channel: recorded, by, code }: ChannelClosedEntry): Promise<void> {
    const channel = this.#channels.get(recorded)
    if (channel === undefined) return
    if (by === 'us') return code === brokenOff ? channel.drop() : channel.close()
    await channel.watch(this.#context.timeouts.event_ms)
    if (channel.state === 'open') this.#otherWay('a control connection stayed open that was closed then')
  }

  #say(entry: FrameSentEntry): void {
    const channel = this.#channels.get(entry.channel)
    if (channel === undefined) return
    this.#latest = channel
    const frame = this.#numbers.frame(entry.frame)
    // What comes from now on has higher numbers than any so far, also where this one was reserved long ago.
    this.#lastSent.set(entry.channel, Math.max(frame, channel.frames.at(-1)?.frame ?? 0))
    const bytes = binaryBytes(entry)
    if (bytes !== undefined) channel.sendBinary(new Uint8Array(bytes), frame)
    else if (entry.text !== undefined) channel.sendText(this.#bindings.text(entry.text), frame)
    else channel.send(this.#bindings.json(entry.data ?? null), frame)
  }

  async #wait(wait: WaitEntry, place: number): Promise<void> {
    const { why, ms } = wait
    if (why !== 'event') return this.#context.wait(ms, why)
    if (endedByEvent(this.#steps, place, wait)) return
    await (this.#latest === undefined ? this.#context.wait(ms, 'event') : this.#latest.watch(ms))
  }

  #reserve(frame: number): number {
    const channel = this.#channels.get(this.#channelOf.get(frame) ?? 0) ?? this.#latest
    return channel?.nextFrame() ?? 0
  }
}
