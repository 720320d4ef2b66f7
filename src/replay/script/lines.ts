import type { ChannelClosedEntry, ChannelOpenEntry, Entry, FrameReceivedEntry, FrameSentEntry } from '#trace/entry'
import type { RequestEntry, WaitEntry } from '#trace/entry'
import { type Json, textAt } from '#trace/json'
import { contentOf, idsTold, isSent, textsSent } from '../cut/ids.ts'
import { asksHowItIs, binaryBytes, endedByEvent, inPieces, isUnderWay } from '../recorded.ts'
import { callLine, type CallSetting } from './call-line.ts'
import { literal, quoted } from './literal.ts'
import { createNames, type Names } from './names.ts'
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

/** A longer silence tells no more. */
const longestWait_ms = 10_000

class Lines {
  readonly #steps: readonly Entry[]
  readonly #names: Names
  readonly #setting: CallSetting
  readonly #lines: Line[] = []
  readonly #said = new Set<string>()
  /** Names of sessions' answers, by `session_id` of the recording. */
  readonly #sessions = new Map<string, string>()
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
    const until = this.#steps.findLastIndex((one) => one === answer)
    const meanwhile = this.#steps.slice(place + 1, Math.max(place + 1, until)).some(isSent)
    const recorded = answer === undefined ? undefined : contentOf(answer)
    const polled = asksHowItIs(entry) && !isUnderWay(recorded)
    const code = callLine(entry, polled && !meanwhile, this.#names.say, this.#setting)
    const name = `answer${entry.exchange}`
    if (!meanwhile) this.#answered.add(entry.exchange)
    this.#lines.push(meanwhile ? { code: `const soon${entry.exchange} = ${code}` } : { name, code: `await ${code}` })
    if (!meanwhile) this.#learn(recorded, name)
  }

  #answerTo(exchange: number): Entry | undefined {
    return this.#steps.findLast(
      (one) => (one.kind === 'response' || one.kind === 'failure') && one.exchange === exchange,
    )
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
      if (!this.#said.has(text)) this.#names.bind(text, name, pointer)
    }
    const session = textAt(recorded, '/data/session_id')
    const makes = textAt(recorded, '/data/control/url') !== undefined
    if (session !== undefined && makes) this.#sessions.set(session, name)
  }

  #open(entry: ChannelOpenEntry): void {
    const number = this.#channels.size + 1
    if (this.#channels.has(entry.channel)) return
    this.#channels.set(entry.channel, number)
    const { url, credential } = secretOf(entry, this.#sessions.get(entry.session), this.#names)
    const address = this.#names.say(url)
    this.#lines.push({ code: `const channel${number} = await connect(${number}, ${address}${credential})` })
  }

  #close({ channel, by }: ChannelClosedEntry): void {
    const number = this.#channels.get(channel)
    if (number === undefined) return
    this.#lines.push({
      code: by === 'us' ? `channel${number}.close()` : `await channel${number}.closed(${longestWait_ms})`,
    })
  }

  #send(frame: FrameSentEntry): void {
    const { channel, data, text } = frame
    const number = this.#channels.get(channel)
    if (number === undefined) return
    const bytes = binaryBytes(frame)
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

  #wait(wait: WaitEntry, place: number): void {
    const { why, ms } = wait
    if (why === 'pace' || why === 'retry-after' || why === 'quota' || endedByEvent(this.#steps, place, wait)) return
    const longest = why === 'timer' ? Infinity : longestWait_ms
    this.#lines.push({ code: `await pause(${Math.ceil(Math.min(ms, longest))})` })
  }
}
