/** A server event, as it came; nothing in it is trusted. */
export interface ServerEvent {
  readonly type: string
  readonly [field: string]: unknown
}

const DELTA = 'response.output_text.delta'

/** What a chain needs of a delta, beside its type. */
const needed = ['response_id', 'item_id', 'output_index', 'delta'] as const

/** JSON that stands for itself: a string without escapes. */
const anyText = String.raw`"[^"\\\x00-\x1f]*"`
const capturedText = String.raw`"([^"\\\x00-\x1f]*)"`

/** What takes longer than parsing is given up where a target writes every delta in another way. */
const LESSONS = 8

/** A run of deltas has to be this long before a pattern of its own is worth making. */
const LONG_RUN = 4

/**
 * Reads frames as `JSON.parse` does. Of all that k6 does with a delta, parsing takes longest, and nearly all events are
 * deltas, each written like the one before: the reader learns from one of a run how they are written, and takes the next
 * apart by a regular expression, three times as fast. It keeps one of them, since a user of k6 pays 12 kB for each.
 */
export class FrameReader {
  #lessons = LESSONS
  /** Matches what continues the run of deltas that the last frames were, and captures its text. */
  #run: RegExp | undefined
  #runOf = ''
  #length = 0

  /**
   * The quickest way, for nearly all frames of a run: another delta of the same item as the frame before.
   * @returns its text; undefined for any other frame, which has to be read
   */
  more(frame: unknown): string | undefined {
    const run = this.#run
    if (run === undefined || typeof frame !== 'string') return undefined
    return run.exec(frame)?.[1]
  }

  /** @returns undefined when the frame holds no event */
  read(frame: unknown): ServerEvent | undefined {
    const event = typeof frame === 'string' ? parsed(frame) : undefined
    if (!isEvent(event)) {
      this.#run = undefined
      return undefined
    }
    if (event.type === DELTA) this.#follow(event, frame as string)
    else this.#run = undefined
    return event
  }

  #follow(event: ServerEvent, frame: string): void {
    const of = JSON.stringify([event['response_id'], event['item_id'], event['output_index']])
    this.#length = of === this.#runOf ? this.#length + 1 : 1
    if (of !== this.#runOf) this.#run = undefined
    this.#runOf = of
    if (this.#run !== undefined || this.#length < LONG_RUN || this.#lessons === 0) return
    this.#run = patternOf(event, frame)
    if (this.#run === undefined) this.#lessons -= 1
  }
}

/** A pattern of deltas of the same item that are written like this one; undefined where no pattern is sure to read them. */
function patternOf(event: ServerEvent, frame: string): RegExp | undefined {
  if (!needed.every((field) => field in event)) return undefined
  const members = Object.entries(event).map(([field, value]) => memberPattern(field, value))
  if (members.includes(undefined)) return undefined
  const pattern = new RegExp(`^\\{${members.join(',')}\\}$`)
  return pattern.test(frame) ? pattern : undefined
}

/** As a pattern that matches the text itself. */
const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

/** @returns undefined for what no pattern reads */
function memberPattern(field: string, value: unknown): string | undefined {
  if (!/^\w+$/.test(field)) return undefined
  if (field === 'delta') return typeof value === 'string' ? `"delta":${capturedText}` : undefined
  if (field === 'type' || isNeeded(field)) return `"${field}":${literally(JSON.stringify(value))}`
  return typeof value === 'string' ? `"${field}":${anyText}` : undefined
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
