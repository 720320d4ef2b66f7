/** A server event, as it came; nothing in it is trusted. */
export interface ServerEvent {
  readonly type: string
  readonly [field: string]: unknown
}

const DELTA = 'response.output_text.delta'

/** What is the same in all deltas of a run. */
const same: readonly string[] = ['type', 'response_id', 'item_id', 'output_index']

/** What JSON may not hold as it is (below the space), and the backslash, which stands for something else. */
const notItself = /[^ -[\]-\uffff]/

/** Who writes every delta in another way is parsed: it is not tried for ever. */
const LESSONS = 8

/**
 * Reads frames as `JSON.parse` does. Of all that k6 does with a delta, parsing takes longest, and nearly all events are
 * deltas, each written like the one before: the reader learns from one what stands around its text, and cuts the text out
 * of the next. (Regular expressions of its own cost every user of k6 some 30 kB.)
 */
export class FrameReader {
  #lessons = LESSONS
  /** What stands before, between and after the strings that differ from delta to delta; empty outside of a run. */
  #around: readonly string[] = []
  /** Which of these strings is the text. */
  #text = 0
  /** What the last delta belonged to. */
  #run = ''

  /**
   * The quickest way, for nearly all frames of a run: another delta of the same item as the frame before.
   * @returns its text; undefined for any other frame, which has to be read
   */
  more(frame: unknown): string | undefined {
    const around = this.#around
    const [start] = around
    if (start === undefined || typeof frame !== 'string' || !frame.startsWith(start)) return undefined
    let at = start.length
    let found: string | undefined
    for (let place = 1; place < around.length; place += 1) {
      const next = around[place] ?? ''
      const end = frame.indexOf('"', at)
      if (end === -1 || !frame.startsWith(next, end)) return undefined
      const string = frame.slice(at, end)
      if (notItself.test(string)) return undefined
      if (place === this.#text) found = string
      at = end + next.length
    }
    return at === frame.length ? found : undefined
  }

  /** @returns undefined when the frame holds no event */
  read(frame: unknown): ServerEvent | undefined {
    const event = typeof frame === 'string' ? parsed(frame) : undefined
    this.#around = []
    if (typeof frame !== 'string' || !isEvent(event)) {
      this.#run = ''
      return undefined
    }
    const run =
      event.type === DELTA ? JSON.stringify([event['response_id'], event['item_id'], event['output_index']]) : ''
    // Only where a second one has come of the same, more of them are likely.
    if (run !== '' && run === this.#run && this.#lessons > 0) this.#learn(event, frame)
    this.#run = run
    return event
  }

  #learn(event: ServerEvent, frame: string): void {
    const around = ['{']
    this.#text = 0
    for (const [field, value] of Object.entries(event)) {
      const last = around.length - 1
      around[last] += `${around[last] === '{' ? '' : ','}${JSON.stringify(field)}:`
      if (typeof value !== 'string' || same.includes(field)) around[last] += JSON.stringify(value)
      else {
        around[last] += '"'
        around.push('"')
        if (field === 'delta') this.#text = around.length - 1
      }
    }
    around[around.length - 1] += '}'
    this.#around = around
    if (this.#text === 0 || this.more(frame) !== event['delta']) {
      this.#around = []
      this.#lessons -= 1
    }
  }
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
