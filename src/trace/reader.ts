import { Buffer, isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deepest, tooDeep } from './depth.ts'
import type { Entry } from './entry.ts'
import { isObject } from './json.ts'

/** A trace as it was read. */
export interface Trace {
  readonly entries: readonly Entry[]
  /** The last line was cut off, as by a kill; it is left out. */
  readonly truncated: boolean
  /** Of the bytes as they are, hex. */
  readonly sha256: string
}

/** The same trace, of which all rows are judged, whatever the run was narrowed to. */
export function ofAllRows(trace: Trace): Trace {
  const [header, ...rest] = trace.entries
  return header?.kind === 'header' ? { ...trace, entries: [{ ...header, only: [] }, ...rest] } : trace
}

/** A line of a trace is not what it must be. */
export class TraceFormatError extends Error {
  override readonly name = 'TraceFormatError'
  /** From 1. */
  readonly line: number

  constructor(line: number, what: string) {
    super(`Line ${line} of the trace ${what}`)
    this.line = line
  }
}

const kinds = new Set<Entry['kind']>([
  'header',
  'scenario-start',
  'scenario-end',
  'request',
  'response',
  'failure',
  'channel-open',
  'channel-opened',
  'channel-refused',
  'frame-sent',
  'frame-received',
  'channel-closed',
  'claim',
  'wait',
  'mark',
  'halt',
  'harness-error',
  'cleanup',
  'end',
])

/** @throws TraceFormatError; the system's error when the file cannot be read. */
export function readTrace(path: string): Trace {
  return parseTrace(readFileSync(path))
}

/** @throws TraceFormatError naming the first line that is no entry. */
export function parseTrace(source: Uint8Array | string): Trace {
  const bytes =
    typeof source === 'string' ? Buffer.from(source) : Buffer.from(source.buffer, source.byteOffset, source.length)
  const entries: Entry[] = []
  let truncated = false
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline
    const entry = readEntry(bytes.subarray(start, end), entries.length + 1, newline === -1)
    if (entry === undefined) truncated = true
    else entries.push(entry)
    start = end + 1
  }
  return { entries, truncated, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/**
 * One line of a trace.
 *
 * @param last whether it may have been cut off
 * @returns undefined for a last line that is no whole JSON
 * @throws TraceFormatError
 */
export function readEntry(bytes: Buffer, line: number, last: boolean): Entry | undefined {
  if (!isUtf8(bytes)) return broken(line, last, 'is not UTF-8')
  const text = bytes.toString('utf8')
  if (tooDeep(text, deepest + 32)) throw new TraceFormatError(line, 'is nested too deeply')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return broken(line, last, 'is not JSON')
  }
  return checked(value, line)
}

function broken(line: number, last: boolean, what: string): undefined {
  if (!last) throw new TraceFormatError(line, what)
  return undefined
}

function checked(value: unknown, line: number): Entry {
  if (!isObject(value)) throw new TraceFormatError(line, 'is not an object')
  if (!kinds.has(value['kind'] as Entry['kind'])) throw new TraceFormatError(line, 'is of no known kind')
  if (typeof value['t'] !== 'number') throw new TraceFormatError(line, 'has no time')
  if (value['kind'] === 'header' && value['format'] !== 'greenroom.trace/1') {
    throw new TraceFormatError(line, 'is of another format than greenroom.trace/1')
  }
  return value as unknown as Entry
}
