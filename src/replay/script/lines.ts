import type { ChannelClosedEntry, ChannelOpenEntry, Entry, FrameReceivedEntry, FrameSentEntry } from '#trace/entry'
import type { RequestEntry, WaitEntry } from '#trace/entry'
import { type Json, textAt } from '#trace/json'
import { contentOf, idsTold, isSent, textsSent } from '../cut/ids.ts'
import { atOnce, isUnderWay } from '../send/recording.ts'
import { callLine, type CallSetting } from './call-line.ts'
import { literal, quoted } from './literal.ts'
import { createNames, memberOf, type Names } from './names.ts'
import { secretOf } from './secret-of.ts'

/** One statement; its result has a name only where something after it says so. */
interface Line {
  readonly name?: string
  readonly code: string
}

/** The statements that send recorded steps again, in their order. */
export function linesOf(steps: readonly Entry[], run: string, setting: CallSetting): readonly string[] {
  const writer = new Lines(steps, createNames(run), setting)
  return writer.all()
}

/** In how many pieces a text comes is free: nobody waits for a piece. */
const inPieces = 'response.output_text.delta'
/** A longer silence tells no more. */
const longestWait_ms = 10_000

class Lines {
  readonly #steps: readonly Entry[]
  readonly #names: Names
  readonly #setting: CallSetting
  readonly #lines: Line[] = []
  readonly #said = new Set<string>()
  /** Names of sessions' answers, by `session_id` of the recording. */
  readonly #sessions = new Map<string, { readonly name: string; readonly url: string | undefined }>()
  readonly #answered = new Set<number>()
  readonly #channels = new Map<number, number>()
  #events = 0

  constructor(steps: readonly Entry[], names: Names, setting: CallSetting) {
    this.#steps = steps
    this.#names = names
    this.#setting = setting
  }

  all(): readonly string[] {
    for (const [place, entry] of this.#steps.entries()) {
      if (isSent(entry)) for (const text of textsSent(entry)) this.#said.add(text)
      this.#step(entry, place)
    }
    for (const number of this.#channels.values()) this.#lines.push({ code: `await channel${number}.quiet()` })
    const { used } = this.#names
    return this.#lines.map(({ name, code }) =>
      name !== undefined && used.has(name) ? `const ${name} = ${code}` : code,
    )
  }

  #step(entry: Entry, place: number): void {
    switch (entry.kind) {
      case 'request':
        return this.#request(entry, place)
      case 'response':
      case 'failure':
        return this.#answer(entry.exchange)
      case 'channel-open':
        return this.#open(entry)
      case 'channel-closed':
        return this.#close(entry)
      case 'frame-sent':
        return this.#send(entry)
      case 'frame-received':
        return this.#hear(entry)
      case 'wait':
        return this.#wait(entry, place)
      default:
        return undefined
    }
  }

  /** What goes out before its answer came goes out before it this time, too. */
  #request(entry: RequestEntry, place: number): void {
    if (entry.attempt > 1 || entry.operation === null) return
    const answer = this.#answerTo(entry.exchange)
    const until = this.#steps.indexOf(answer as Entry)
    const meanwhile = this.#steps.slice(place + 1, until < 0 ? place + 1 : until).some(isSent)
    const recorded = answer === undefined ? undefined : contentOf(answer)
    const polled = /^get-(?:avatar|world)-session$/.test(entry.operation) && !isUnderWay(recorded)
    const code = callLine(entry, polled && !meanwhile, this.#names.say, this.#setting)
    const name = `answer${entry.exchange}`
    if (!meanwhile) this.#answered.add(entry.exchange)
    this.#lines.push(meanwhile ? { code: `const soon${entry.exchange} = ${code}` } : { name, code: `await ${code}` })
    if (!meanwhile) this.#learn(recorded, name)
  }

  #answerTo(exchange: number): Entry | undefined {
    const all = this.#steps.filter(
      (one) => (one.kind === 'response' || one.kind === 'failure') && one.exchange === exchange,
    )
    return all.at(-1)
  }

  #answer(exchange: number): void {
    if (this.#answered.has(exchange)) return
    this.#answered.add(exchange)
    const name = `answer${exchange}`
    this.#lines.push({ name, code: `await soon${exchange}` })
    const answer = this.#answerTo(exchange)
    this.#learn(answer === undefined ? undefined : contentOf(answer), name)
  }

  #learn(recorded: Json | undefined, name: string): void {
    for (const { text, pointer } of idsTold(recorded)) {
      if (!this.#said.has(text)) this.#names.bind(text, memberOf(name, pointer))
    }
    const session = textAt(recorded, '/data/session_id')
    const url = textAt(recorded, '/data/control/url')
    if (session !== undefined && url !== undefined) this.#sessions.set(session, { name, url })
  }

  #open(entry: ChannelOpenEntry): void {
    const number = this.#channels.size + 1
    if (this.#channels.has(entry.channel)) return
    this.#channels.set(entry.channel, number)
    const session = this.#sessions.get(entry.session)
    const own = session === undefined ? undefined : this.#names.say(session.url ?? '')
    const { url, credential } = secretOf(entry, session?.name, this.#names.say)
    const address = own === undefined || url !== session?.url ? this.#names.say(url) : own
    this.#lines.push({ code: `const channel${number} = await connect(${number}, ${address}${credential})` })
  }

  #close({ channel, by }: ChannelClosedEntry): void {
    const number = this.#channels.get(channel)
    if (number === undefined) return
    this.#lines.push({
      code: by === 'us' ? `channel${number}.close()` : `await channel${number}.closed(${longestWait_ms})`,
    })
  }

  #send({ channel, data, text }: FrameSentEntry): void {
    const number = this.#channels.get(channel)
    if (number === undefined) return
    const bytes = /^\(binary, (\d+) bytes\)$/.exec(text ?? '')?.[1]
    const { say } = this.#names
    const [method, what] =
      bytes !== undefined
        ? ['sendBinary', bytes]
        : text !== undefined
          ? ['sendText', say(text)]
          : ['send', literal(data ?? null, say)]
    this.#lines.push({ code: `channel${number}.${method}(${what})` })
  }

  #hear({ channel, data }: FrameReceivedEntry): void {
    const number = this.#channels.get(channel)
    const type = textAt(data, '/type')
    if (number === undefined || type === undefined || type === inPieces) return
    const name = `event${(this.#events += 1)}`
    this.#lines.push({ name, code: `await channel${number}.heard(${quoted(type)})` })
    this.#learn(data, name)
  }

  /** A wait that an event ended is that for the event. */
  #wait({ why, ms, t }: WaitEntry, place: number): void {
    if (why === 'pace' || why === 'retry-after' || why === 'quota') return
    const before = this.#steps.slice(0, place).findLast((one) => one.kind === 'frame-received')
    if (why === 'event' && before !== undefined && t - before.t < atOnce) return
    this.#lines.push({ code: `await pause(${Math.ceil(Math.min(ms, why === 'timer' ? ms : longestWait_ms))})` })
  }
}
