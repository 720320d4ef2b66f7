import type { Entry } from '#trace/entry'
import type { JsonObject } from '#trace/json'
import type { Redactor } from '#trace/redact'
import type { Draft } from '#trace/writer'
import type { K6Line } from '../k6/lines.ts'

type SampleLine = Extract<K6Line, { kind: 'sample' }>

/** More than this is not kept in memory: conversations that begin later are left out, whole. */
const mostEntries = 200_000

/** What was recorded of sampled conversations, as it came from all users of all processes. */
export class Samples {
  readonly #conversations = new Map<string, JsonObject[]>()
  #entries = 0

  add({ conversation, entry }: SampleLine): void {
    const known = this.#conversations.get(conversation)
    if (known === undefined && this.#entries >= mostEntries) return
    if (known === undefined) this.#conversations.set(conversation, [entry])
    else known.push(entry)
    this.#entries += 1
  }

  get conversations(): ReadonlyMap<string, readonly JsonObject[]> {
    return this.#conversations
  }
}

/** How a trace is made of samples. */
export interface TraceFrame {
  readonly header: Draft
  /** What follows the conversations: the clean-up and the end. */
  readonly ending: readonly Draft[]
  /** Beginning of the run, in milliseconds since 1970. */
  readonly epoch: number
  /** Replaces secrets that k6 may have left. */
  readonly redactor: Redactor
}

export interface SampledTrace {
  readonly text: string
  readonly lines: number
  readonly conversations: number
  /** Conversation of each line, from 1; undefined for lines of the run itself. */
  conversationAt(line: number): string | undefined
}

/**
 * Makes one trace of all conversations: their entries in the order of time, with numbers that are unique in the trace.
 * Within a conversation the order stays as it was recorded, whatever the clocks say.
 */
export function traceOf(samples: Samples, { header, ending, epoch, redactor }: TraceFrame): SampledTrace {
  const numbers = new Numbering()
  const placed = [...samples.conversations].flatMap(([conversation, entries]) =>
    inOrder(entries, epoch).map((one) => ({ ...one, conversation })),
  )
  const sorted = placed.toSorted((left, right) => left.t - right.t)
  const last = sorted.at(-1)?.t ?? 0
  const drafts: readonly (readonly [t: number, entry: object, conversation: string | undefined])[] = [
    [0, header, undefined],
    ...sorted.map(
      ({ t, entry, conversation }) =>
        [t, { ...numbers.renumbered(conversation, entry), scenario: conversation }, conversation] as const,
    ),
    ...ending.map((entry) => [last, entry, undefined] as const),
  ]
  const text = drafts.map(([t, entry]) => lineOf(t, redactor.entry(entry as Entry)))
  return {
    text: text.join(''),
    lines: drafts.length,
    conversations: samples.conversations.size,
    conversationAt: (line) => drafts[line - 1]?.[2],
  }
}

function lineOf(t: number, entry: object): string {
  const { kind, t: _, ...rest } = entry as { kind: string; t?: number }
  return `${JSON.stringify({ kind, t, ...rest })}\n`
}

/** Milliseconds of the run; a clock that was set back stands still. */
function inOrder(entries: readonly JsonObject[], epoch: number) {
  let last = 0
  return entries.map((entry) => {
    const { t } = entry
    const since = typeof t === 'number' ? t - epoch : 0
    last = Math.max(last, Math.round(since * 1_000) / 1_000)
    return { t: last, entry }
  })
}

/** Fields that number things, each within its conversation. */
const numbered = ['exchange', 'channel', 'frame', 'mark'] as const

/** Gives each thing of each conversation a number of its own. */
class Numbering {
  readonly #known = new Map<string, number>()
  readonly #next = { exchange: 1, channel: 1, frame: 1, mark: 1 }

  renumbered(conversation: string, entry: JsonObject): JsonObject {
    const fields = numbered.filter((name) => typeof entry[name] === 'number')
    return { ...entry, ...Object.fromEntries(fields.map((name) => [name, this.#number(conversation, name, entry)])) }
  }

  #number(conversation: string, name: (typeof numbered)[number], entry: JsonObject): number {
    const thing = `${name} ${JSON.stringify(entry[name])} ${conversation}`
    const number = this.#known.get(thing) ?? this.#next[name]++
    this.#known.set(thing, number)
    return number
  }
}
