import type { WebSocket } from 'ws'
import type { Pattern } from '#trace/claim'
import type { ChannelClosedEntry } from '#trace/entry'
import { at, type Json } from '#trace/json'
import { isBlame, isGoingAway } from '#trace/close-codes'
import { matchesOne } from '#trace/match'
import { longestText } from '../bounds.ts'
import { type Asker, assertGoing, type Core, record } from '../core.ts'
import { startDeadline } from '../deadline.ts'
import { RunAborted } from '../errors.ts'
import { firstAfter, readFrame, typeOf } from './frame.ts'
import type { Channel, Frame, SentFrame } from '../types.ts'
import { createPulse, isMidway, type Pulse } from './pulse.ts'
import { createWatchers } from './watchers.ts'

/** Waits shorter than this are no entry, unless they were in vain. */
const shortestWait = 50

/** How long the target may take to answer our close. */
const closePatience = 2_000
const mostUnsent = 16 * 2 ** 20
/** So much longer than an event a pong may take: that nobody is there is known before an event is missing for good. */
const pongFactor = 1.1
const noCloseFrame = 1006

/** A control connection from its upgrade on. Everything that passes is recorded as it passes. */
export class RecordedChannel implements Channel {
  readonly channel: number
  readonly session: string
  readonly status = undefined
  readonly frames: Frame[] = []
  sent = 0
  nameless = 0
  state: 'open' | 'closed' = 'open'
  readonly #unwelcome: boolean
  readonly #core: Core
  readonly #asker: Asker
  readonly #socket: WebSocket
  readonly #watchers = createWatchers()
  readonly #closed = Promise.withResolvers<void>()
  readonly #pulse: Pulse
  #silentSince: number | undefined
  #by: ChannelClosedEntry['by'] | undefined
  #gaveUp = false
  #why = ''
  #broke = false
  #count = 0
  #bytes = 0
  /** Whether nothing has come since we last sent something. */
  #asked = false

  /** @param place says which channel it is, of which session, and whether it was opened to be refused */
  constructor(
    core: Core,
    asker: Asker,
    socket: WebSocket,
    {
      channel,
      session,
      unwelcome,
    }: { readonly channel: number; readonly session: string; readonly unwelcome: boolean },
  ) {
    this.#unwelcome = unwelcome
    this.#core = core
    this.#asker = asker
    this.#socket = socket
    this.channel = channel
    this.session = session
    socket.on('message', (data: Buffer, binary: boolean) => this.#receive(data, binary))
    socket.on('ping', (data: Buffer) => this.#pong(data))
    socket.on('error', (error) => this.#giveUp(error.message))
    socket.on('close', (code: number, reason: Buffer) => this.#end(code, reason.toString('utf8')))
    socket.on('pong', () => this.#pulse.pong())
    core.open.add(this)
    this.#tell(() => record(core, asker, { kind: 'channel-opened', channel }))
    this.#pulse = createPulse({
      pongs: core.pongs,
      ping: () => this.#ping(),
      now: () => core.options.writer.now(),
      patience_ms: pongFactor * core.options.timeouts.event_ms,
      dead: (since) => this.#leave(since),
    })
  }

  get trouble(): string | undefined {
    return this.#broke ? 'the connection broke' : undefined
  }

  get gave_up(): boolean {
    return this.#gaveUp
  }

  nextFrame(): number {
    return this.#core.numbers.next('frame')
  }

  send(event: Json, frame = this.nextFrame()): SentFrame {
    return this.#send(frame, JSON.stringify(event), { data: event })
  }

  sendText(text: string, frame = this.nextFrame()): SentFrame {
    return this.#send(frame, text, { text: text.slice(0, 10 * longestText) })
  }

  sendBinary(bytes: Uint8Array, frame = this.nextFrame()): SentFrame {
    return this.#send(frame, bytes, { text: `(binary, ${bytes.length} bytes)` })
  }

  ping(): void {
    assertGoing(this.#core, this.#asker)
    this.#ping()
  }

  async next(
    match: Pattern | readonly Pattern[],
    options: { after?: number; within_ms?: number } = {},
  ): Promise<Frame | undefined> {
    assertGoing(this.#core, this.#asker)
    const patterns = Array.isArray(match) ? (match as readonly Pattern[]) : [match as Pattern]
    const after = this.#core.numbers.place(options.after ?? 0)
    const fits = (frame: Frame) => frame.frame > after && matchesOne(frame.data, patterns)
    const found = firstAfter(this.frames, after, fits)
    if (found === undefined && this.state === 'closed') return undefined
    const of = options.within_ms ?? this.#core.options.timeouts.event_ms
    const { hearing } = this.#core
    const began = this.#core.options.writer.now()
    const received = found ?? (await this.#watch(hearing.patience(of), fits))
    if (received !== undefined || this.state === 'open')
      hearing.waited(received !== undefined, this.#core.options.writer.now() - began, of)
    return received
  }

  async watch(ms: number): Promise<void> {
    assertGoing(this.#core, this.#asker)
    if (this.state === 'open') await this.#watch(ms, () => false, true)
  }

  async close(): Promise<void> {
    if (this.state === 'closed') return
    this.#by ??= 'us'
    this.#socket.close(1000)
    const timer = setTimeout(() => this.#socket.terminate(), closePatience)
    await this.#closed.promise
    clearTimeout(timer)
  }

  async drop(): Promise<void> {
    if (this.state === 'closed') return
    this.#by ??= 'us'
    this.#socket.terminate()
    await this.#closed.promise
  }

  /** Ends the connection without another byte. */
  cut(): void {
    this.#by ??= 'us'
    this.#watchers.fail(new RunAborted())
    this.#socket.terminate()
  }

  async #watch(ms: number, fits: (frame: Frame) => boolean, always = false): Promise<Frame | undefined> {
    const began = this.#core.options.writer.now()
    let found: Frame | undefined
    const callOff = startDeadline(Math.max(this.#core.options.timeouts.event_ms / 2, ms / 4), () => {
      if (always || this.#awaits()) this.#pulse.doubt()
    })
    try {
      found = await this.#watchers.watch(ms, fits)
    } finally {
      callOff()
      const waited = Math.round((this.#core.options.writer.now() - began) * 1000) / 1000
      if (found === undefined || waited > shortestWait)
        record(this.#core, this.#asker, { kind: 'wait', why: 'event', ms: waited })
    }
    return found
  }

  #ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  /** Whether something is to come: after what we sent, or of a response that has begun. */
  #awaits(): boolean {
    return this.state === 'open' && (this.#asked || isMidway(this.frames.at(-1)?.type))
  }

  /** Nobody is at the other end, and nobody said so: as good as broken, and it was so since something came last. */
  #leave(since: number): void {
    if (this.#by === undefined) this.#silentSince = since
    this.#by ??= 'network'
    this.#why ||= 'Nothing came any more, and not even a ping was answered'
    this.#socket.terminate()
  }

  /** A frame for a channel that has ended is neither sent nor recorded. */
  #send(frame: number, payload: string | Uint8Array, shown: { data: Json } | { text: string }): SentFrame {
    assertGoing(this.#core, this.#asker)
    if (this.#socket.readyState !== this.#socket.OPEN) return { frame }
    this.sent += 1
    this.#asked = true
    if (!('data' in shown) || typeof at(shown.data, '/event_id') !== 'string') this.nameless += 1
    this.#core.numbers.sent(frame)
    record(this.#core, this.#asker, { kind: 'frame-sent', channel: this.channel, frame, ...shown })
    this.#core.traffic.sent()
    this.#socket.send(payload)
    if (this.#socket.bufferedAmount > mostUnsent) this.#giveUp('The target does not read what we send')
    return { frame }
  }

  #receive(data: Buffer, binary: boolean): void {
    this.#pulse.heard()
    if (this.state === 'closed' || !this.#admit(data.length)) return
    const read = readFrame(data, binary)
    this.#core.intake.add(read.weight)
    this.#core.traffic.received()
    const { channel } = this
    const frame = this.nextFrame()
    const shown = {
      ...(read.data === undefined ? {} : { data: read.data }),
      ...(read.text === undefined ? {} : { text: this.#core.options.redactor.text(read.text).slice(0, longestText) }),
      ...(read.problem === undefined ? {} : { problem: read.problem }),
    }
    const t = this.#tell(
      () => record(this.#core, this.#asker, { kind: 'frame-received', channel, frame, ...shown, bytes: data.length }).t,
    )
    if (t === undefined) return
    const received: Frame = { frame, t, type: typeOf(read.data), data: read.data, is_next: this.#asked }
    this.#asked = false
    this.frames.push(received)
    this.#watchers.offer(received)
  }

  #pong(data: Buffer): void {
    this.#pulse.heard()
    if (this.#admit(data.length) && this.#socket.readyState === this.#socket.OPEN) this.#socket.pong(data)
    if (this.#socket.bufferedAmount > mostUnsent) this.#giveUp('The target does not read what we send')
  }

  /** Counts what came in; false when it was too much. */
  #admit(bytes: number): boolean {
    this.#count += 1
    this.#bytes += bytes
    const { channel_frames, channel_bytes } = this.#core.bounds
    if (this.#count > channel_frames) this.#giveUp(`More than ${channel_frames} frames came`)
    else if (this.#bytes > channel_bytes) this.#giveUp(`More than ${channel_bytes} bytes came`)
    // All that came in the whole run: none of it need have come too much on this channel.
    else if (this.#core.intake.left === 0) this.#giveUp('More came than one run takes', 'us')
    return !this.#gaveUp
  }

  #giveUp(why: string, by: 'limit' | 'us' = 'limit'): void {
    this.#gaveUp = true
    this.#by ??= by
    if (this.#why === '') this.#why = why
    this.#socket.terminate()
  }

  #end(code: number, reason: string): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    this.#pulse.stop()
    this.#core.open.delete(this)
    const by = this.#by ?? (code === noCloseFrame ? 'network' : 'target')
    this.#broke = by === 'network' || (by === 'target' && this.#endsByAccident(code))
    const { channel } = this
    this.#tell(() =>
      record(this.#core, this.#asker, {
        kind: 'channel-closed',
        channel,
        by,
        code,
        reason: this.#why === '' ? reason : this.#why,
        ...(this.#silentSince === undefined ? {} : { silent_since: this.#silentSince }),
      }),
    )
    this.#watchers.end()
    this.#closed.resolve()
  }

  /**
   * No connection lasts for ever, and a service may end one when another of its session opens (5.3 allows to reconnect). One that
   * was opened to be refused is refused by its close.
   */
  #endsByAccident(code: number): boolean {
    const { session, channel } = this
    const replaced = this.#core.open.values().some((other) => other.session === session && other.channel > channel)
    return isGoingAway(code) || (!isBlame(code) && !replaced && !this.#unwelcome)
  }

  /** An event handler has nobody to throw at; the writer throws again at whoever calls next. */
  #tell<Result>(write: () => Result): Result | undefined {
    try {
      return write()
    } catch {
      this.#by ??= 'us'
      this.#socket.terminate()
      return undefined
    }
  }
}
