import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Entry } from '../entry.ts'
import { readEntry, type Trace, TraceFormatError } from '../reader.ts'

const chunkSize = 1 << 18
const newline = 10

/**
 * Reads a trace while others write it, each line once, and holds it: whoever needs all of it in the end has read most of it
 * by then. A last line that is not whole is left for later, since who goes on in the file cuts it off. `LineReader` holds
 * little, and is for files whose last line nobody cuts off.
 */
export class TraceSoFar {
  readonly #path: string
  readonly #hash = createHash('sha256')
  readonly #entries: Entry[] = []
  /** Bytes of the whole lines that were read. */
  #position = 0

  constructor(path: string) {
    this.#path = path
  }

  /** All whole lines so far, in a list that grows with each look. @throws TraceFormatError; the system's error when the file cannot be read */
  read(): readonly Entry[] {
    while (this.readSome()) {
      // Goes on until nothing is left.
    }
    return this.#entries
  }

  /**
   * Some more of them.
   *
   * @param most bytes that are read at once; a line that is longer is read all the same
   * @returns whether there may be more
   * @throws as `read` does
   */
  readSome(most: number = chunkSize): boolean {
    const { bytes, full } = this.#below(most)
    const end = bytes.lastIndexOf(newline) + 1
    if (end === 0) return full && this.readSome(most * 2)
    let start = 0
    const read: Entry[] = []
    while (start < end) {
      const stop = bytes.indexOf(newline, start)
      const entry = readEntry(bytes.subarray(start, stop), this.#entries.length + read.length + 1, false)
      if (entry !== undefined) read.push(entry)
      start = stop + 1
    }
    for (const entry of read) this.#entries.push(entry)
    this.#hash.update(bytes.subarray(0, end))
    this.#position += end
    return full
  }

  /** The same as `readTrace` of the file, once nobody writes it any more. @throws as `read` does */
  whole(): Trace {
    const entries = [...this.read()]
    const { bytes } = this.#below()
    const last = bytes.length === 0 ? undefined : readEntry(bytes, entries.length + 1, true)
    if (last !== undefined) entries.push(last)
    const truncated = bytes.length > 0 && last === undefined
    return { entries, truncated, sha256: this.#hash.copy().update(bytes).digest('hex') }
  }

  /** What stands behind the lines that were read, no more than `most` bytes of it. */
  #below(most: number = Infinity): { readonly bytes: Buffer; readonly full: boolean } {
    const file = openSync(this.#path, 'r')
    try {
      const left = fstatSync(file).size - this.#position
      if (left < 0)
        throw new TraceFormatError(
          this.#entries.length,
          'is gone: something else than the run has cut or replaced the file',
        )
      const buffer = Buffer.alloc(Math.min(most, left))
      const count = readSync(file, buffer, 0, buffer.length, this.#position)
      return { bytes: buffer.subarray(0, count), full: most < left }
    } finally {
      closeSync(file)
    }
  }
}
