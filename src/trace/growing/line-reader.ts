import { closeSync, openSync, readSync } from 'node:fs'
import { Buffer } from 'node:buffer'
import { createHash, type Hash } from 'node:crypto'
import type { Entry } from '../entry.ts'
import { readEntry } from '../reader.ts'

const chunkSize = 1 << 18
const newline = 10

/** An entry with the bytes of its line, the newline left out. */
export interface ReadLine {
  readonly entry: Entry
  readonly bytes: number
}

/**
 * Reads a trace line by line in bounded memory, also while another process or thread writes it. It counts on the rest that
 * it has read of a line being gone on with: where whoever writes may cut that off, `TraceSoFar` reads.
 */
export class LineReader {
  #fd: number | undefined
  readonly #hash: Hash = createHash('sha256')
  readonly #buffer = Buffer.alloc(chunkSize)
  #position = 0
  #rest: Buffer[] = []
  #lines = 0

  /** @throws the system's error when the file cannot be read */
  constructor(path: string) {
    this.#fd = openSync(path, 'r')
  }

  /** Whole lines that were added since the last look. @throws TraceFormatError */
  *more(): Generator<ReadLine> {
    for (;;) {
      if (this.#fd === undefined) throw new Error('the trace is closed')
      const count = readSync(this.#fd, this.#buffer, 0, chunkSize, this.#position)
      if (count === 0) return
      this.#position += count
      const chunk = Buffer.from(this.#buffer.subarray(0, count))
      this.#hash.update(chunk)
      let start = 0
      for (let found = chunk.indexOf(newline); found !== -1; found = chunk.indexOf(newline, start)) {
        const bytes = Buffer.concat([...this.#rest, chunk.subarray(start, found)])
        this.#rest = []
        start = found + 1
        this.#lines += 1
        const entry = readEntry(bytes, this.#lines, false)
        if (entry !== undefined) yield { entry, bytes: bytes.length }
      }
      if (start < count) this.#rest.push(chunk.subarray(start))
    }
  }

  /** What is left behind the last newline: a whole entry, or one that was cut off. @throws TraceFormatError */
  last(): { readonly line: ReadLine | undefined; readonly truncated: boolean } {
    const bytes = Buffer.concat(this.#rest)
    if (bytes.length === 0) return { line: undefined, truncated: false }
    const entry = readEntry(bytes, this.#lines + 1, true)
    return { line: entry && { entry, bytes: bytes.length }, truncated: entry === undefined }
  }

  /** Of all bytes read so far, hex. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  /** Once closed, the number of the file may soon be that of another: a second call closes nothing. */
  close(): void {
    const fd = this.#fd
    this.#fd = undefined
    if (fd !== undefined) closeSync(fd)
  }
}
