/** A server event, as it came; nothing in it is trusted. */
export interface ServerEvent {
  readonly type: string
  readonly [field: string]: unknown
}

const DELTA = 'response.output_text.delta'

/** What a chain needs of a delta, beside its type. */
const needed = ['response_id', 'item_id', 'output_index', 'delta'] as const

/** How a target writes deltas, and where the pattern captures what is needed. */
type Style = {
  readonly pattern: RegExp
  /** In their order. */
  readonly fields: readonly string[]
  /** Patterns by field. */
  readonly members: ReadonlyMap<string, string>
} & { readonly [field in (typeof needed)[number]]: number }

/** JSON that stands for itself: strings without escapes, whole numbers. */
const anyText = String.raw`"[^"\\\x00-\x1f]*"`
const captured = { string: String.raw`"([^"\\\x00-\x1f]*)"`, number: String.raw`(0|[1-9]\d{0,14})` }

/** Learning costs more than parsing, so a target that writes every delta in another way is parsed. */
const LESSONS = 8

/** A run of deltas has to be this long before a pattern of its own is worth making. */
const LONG_RUN = 4

/**
 * Reads frames as `JSON.parse` does, but of deltas only what a chain needs. Of all that k6 does with a delta, parsing
 * takes longest, and nearly all events are deltas, each written like the one before: the reader learns from one how
 * they are written, and takes the next apart by a regular expression, three times as fast.
 */
export class FrameReader {
  #style: Style | undefined
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
    const event = this.#read(frame)
    if (event?.type === DELTA) this.#follow(event)
    else this.#run = undefined
    return event
  }

  #follow({ response_id, item_id, output_index }: ServerEvent): void {
    const style = this.#style
    const of = JSON.stringify([response_id, item_id, output_index])
    this.#length = of === this.#runOf ? this.#length + 1 : 1
    if (of !== this.#runOf) this.#run = undefined
    this.#runOf = of
    if (style === undefined || this.#run !== undefined || this.#length < LONG_RUN) return
    const ids = { response_id, item_id, output_index }
    const members = style.fields.map((field) => {
      if (field === 'delta') return `"delta":${captured.string}`
      if (field !== 'response_id' && field !== 'item_id' && field !== 'output_index')
        return style.members.get(field) ?? ''
      return `"${field}":${literally(JSON.stringify(ids[field]))}`
    })
    this.#run = new RegExp(`^\\{${members.join(',')}\\}$`)
  }

  #read(frame: unknown): ServerEvent | undefined {
    if (typeof frame !== 'string') return undefined
    const style = this.#style
    const match = style === undefined ? null : style.pattern.exec(frame)
    if (style !== undefined && match !== null) return deltaOf(style, match)
    const event = parsed(frame)
    if (!isEvent(event)) return undefined
    if (event.type === DELTA && this.#lessons > 0) this.#learn(event, frame)
    return event
  }

  #learn(event: ServerEvent, frame: string): void {
    this.#lessons -= 1
    const fields = Object.keys(event)
    const members = fields.map((field) => memberPattern(field, event[field]))
    const found = fields.filter(isNeeded)
    if (members.includes(undefined) || found.length < needed.length) return
    const pattern = new RegExp(`^\\{${members.join(',')}\\}$`)
    if (!pattern.test(frame)) return
    const at = (field: (typeof needed)[number]): number => found.indexOf(field) + 1
    this.#style = {
      pattern,
      fields,
      members: new Map(fields.map((field, index) => [field, members[index] ?? ''])),
      response_id: at('response_id'),
      item_id: at('item_id'),
      output_index: at('output_index'),
      delta: at('delta'),
    }
  }
}

/** As a pattern that matches the text itself. */
const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

function deltaOf(style: Style, match: RegExpExecArray): ServerEvent {
  return {
    type: DELTA,
    response_id: match[style.response_id],
    item_id: match[style.item_id],
    output_index: Number(match[style.output_index]),
    delta: match[style.delta],
  }
}

/** @returns undefined for what no pattern reads */
function memberPattern(field: string, value: unknown): string | undefined {
  if (!/^\w+$/.test(field)) return undefined
  if (field === 'type') return `"type":"${DELTA.replaceAll('.', String.raw`\.`)}"`
  const wanted = field === 'output_index' ? 'number' : 'string'
  if (typeof value !== wanted) return undefined
  return `"${field}":${isNeeded(field) ? captured[wanted] : anyText}`
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
