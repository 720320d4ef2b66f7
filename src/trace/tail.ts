import { Buffer } from 'node:buffer'

const chunkSize = 1 << 16
const newline = 10

/** Reads bytes at a position into the buffer and says how many. */
export type ReadAt = (buffer: Buffer, position: number) => number

/** What a file of lines holds up to its last newline. */
export interface WholeLines {
  readonly lines: number
  /** The last whole line, without its newline; empty for none. */
  readonly text: string
  /** Bytes up to and with the last newline. */
  readonly end: number
}

/** Counts the whole lines of a file and finds the last, in bounded memory. */
export function lastWholeLine(readAt: ReadAt, size: number): WholeLines {
  const buffer = Buffer.alloc(chunkSize)
  let lines = 0
  let start = 0
  let end = 0
  for (let position = 0; position < size; ) {
    const count = readAt(buffer, position)
    if (count === 0) break
    const chunk = buffer.subarray(0, count)
    for (let found = chunk.indexOf(newline); found !== -1; found = chunk.indexOf(newline, found + 1)) {
      lines += 1
      start = end
      end = position + found + 1
    }
    position += count
  }
  return { lines, text: readText(readAt, start, end - 1), end }
}

function readText(readAt: ReadAt, start: number, end: number): string {
  if (end <= start) return ''
  const bytes = Buffer.alloc(end - start)
  for (let done = 0; done < bytes.length; ) {
    const count = readAt(bytes.subarray(done), start + done)
    if (count === 0) break
    done += count
  }
  return bytes.toString('utf8')
}
