/** A server event, as it came; nothing in it is trusted. */
export interface ServerEvent {
  readonly type: string
  readonly [field: string]: unknown
}

const DELTA = 'response.output_text.delta'

/** What a chain needs of a delta, beside its type. */
const needed = ['response_id', 'item_id', 'output_index', 'delta'] as const

/** What takes longer than parsing is given up where a target writes every delta in another way. */
const LESSONS = 8

/** A run of deltas has to be this long before the way in which they are written is worth learning. */
const LONG_RUN = 4

/** How deltas of one item are written: what stands before, between and behind the two strings that differ. */
interface Way {
  readonly head: string
  readonly middle: string
  readonly tail: string
  /** Whether the first of them is the text, or the second. */
  readonly textFirst: boolean
}

/**
 * Reads frames as `JSON.parse` does. Of all that k6 does with a delta, parsing takes longest, and nearly all events are
 * deltas, each written like the one before: the reader learns from one of a run how they are written, and finds the text
 * of the next by what stands around it, in less than half the time. (A regular expression takes as long, and the first one
 * costs a user of k6 15 kB.)
 */
export class FrameReader {
  #lessons = LESSONS
  /** Of what continues the run of deltas that the last frames were. */
  #way: Way | undefined
  // Of the way, since every event reads it.
  #head = ''
  #middle = ''
  #tail = ''
  #textFirst = false
  #runOf = ''
  #length = 0

  /**
   * The quickest way, for nearly all frames of a run: another delta of the same item as the frame before.
   * @returns its text; undefined for any other frame, which has to be read
   */
  more(frame: unknown): string | undefined {
    if (this.#way === undefined || typeof frame !== 'string') return undefined
    const head = this.#head
    if (!frame.startsWith(head)) return undefined
    const middle = this.#middle
    const at = frame.indexOf('"', head.length)
    if (!frame.startsWith(middle, at)) return undefined
    const start = at + middle.length
    const end = frame.indexOf('"', start)
    // Strings without quotes and escapes may stand for each other in JSON, unless they have control characters. These are
    // looked for where a delta begins, as line ends mostly come alone; elsewhere samples show them.
    if (frame.slice(end) !== this.#tail || frame.includes('\\')) return undefined
    const text = this.#textFirst ? frame.slice(head.length, at) : frame.slice(start, end)
    return text < ' ' ? undefined : text
  }

  /** @returns undefined when the frame holds no event */
  read(frame: unknown): ServerEvent | undefined {
    const event = typeof frame === 'string' ? parsed(frame) : undefined
    if (!isEvent(event)) {
      this.#way = undefined
      return undefined
    }
    if (event.type === DELTA) this.#follow(event, frame as string)
    else this.#way = undefined
    return event
  }

  #follow(event: ServerEvent, frame: string): void {
    const of = JSON.stringify([event['response_id'], event['item_id'], event['output_index']])
    this.#length = of === this.#runOf ? this.#length + 1 : 1
    if (of !== this.#runOf) this.#way = undefined
    this.#runOf = of
    // A text with an escape has to be parsed, however it is written.
    if (this.#length < LONG_RUN || this.#lessons === 0 || frame.includes('\\')) return
    // The way that was known did not read this one.
    if (this.#way !== undefined) this.#lessons -= 1
    this.#learn(wayOf(event, frame))
    if (this.more(frame) === event['delta']) return
    this.#way = undefined
    this.#lessons -= 1
  }

  #learn(way: Way | undefined): void {
    this.#way = way
    this.#head = way?.head ?? ''
    this.#middle = way?.middle ?? ''
    this.#tail = way?.tail ?? ''
    this.#textFirst = way?.textFirst === true
  }
}

/**
 * How a delta is written; undefined where that is not sure to read others. Of the strings that a chain does not need, the
 * first may differ: the event's id. Where there is none, nothing stands there, at the end of the type.
 */
function wayOf(event: ServerEvent, frame: string): Way | undefined {
  if (!needed.every((field) => field in event)) return undefined
  const text = placeOf('delta', event, frame)
  const type = placeOf('type', event, frame)
  const [id] = Object.keys(event).filter((field) => field !== 'type' && !isNeeded(field) && isText(event[field]))
  const other = id === undefined ? type && { start: type.end, end: type.end } : placeOf(id, event, frame)
  if (text === undefined || other === undefined) return undefined
  const textFirst = text.start < other.start
  const [first, second] = textFirst ? [text, other] : [other, text]
  return {
    head: frame.slice(0, first.start),
    middle: frame.slice(first.end, second.start),
    tail: frame.slice(second.end),
    textFirst,
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'

/** What stands between the name of a field and its string; where it is more, the frame is read as any other. */
const between: readonly string[] = [':', ': ']

/** Where the string stands that a field has, without its quotes; undefined where the field may stand in several places. */
function placeOf(field: string, event: ServerEvent, frame: string): { start: number; end: number } | undefined {
  const value = event[field]
  if (typeof value !== 'string') return undefined
  const name = JSON.stringify(field)
  const named = frame.indexOf(name) + name.length
  const start = frame.indexOf(JSON.stringify(value), named) + 1
  if (start === 0 || !between.includes(frame.slice(named, start - 1)) || frame.includes(name, named)) return undefined
  return { start, end: start + value.length }
}

function isNeeded(field: string): field is (typeof needed)[number] {
  return (needed as readonly string[]).includes(field)
}

function isEvent(value: unknown): value is ServerEvent {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame)
  } catch {
    return undefined
  }
}
