import { Buffer } from 'node:buffer'
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, write, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chainStart, linkedLine, linkOf } from './chain.ts'
import { clockSince } from './clock.ts'
import type { Entry } from './entry.ts'
import { messageOf } from './message-of.ts'
import type { Redactor } from './redact.ts'
import { lastWholeLine } from './tail.ts'

/** An entry without its time and its link, which the writer sets. */
export type Draft = Entry extends infer One ? (One extends Entry ? Omit<One, 't' | 'link'> : never) : never

/** Where an entry stands. */
export interface Written {
  /** Position in the trace, from 1. */
  readonly line: number
  /** Milliseconds since the run began. */
  readonly t: number
}

/** Appends entries to a trace. Secrets are replaced on the way, whoever writes. */
export interface TraceWriter {
  /** @throws TraceWriteError when the entry cannot be written, and for every entry after that. */
  write(draft: Draft): Written
  /** Milliseconds since the run began. */
  now(): number
  /** Number of entries so far. */
  readonly lines: number
  close(): void
}

/** The trace cannot be written any more: the evidence would have a gap, so the run has to end. */
export class TraceWriteError extends Error {
  override readonly name = 'TraceWriteError'
  /** System error code, such as `ENOSPC`. */
  readonly code: string | undefined

  constructor(path: string, cause: unknown) {
    const code = codeOf(cause)
    super(`The trace ${path} cannot be written: ${sentences[code ?? ''] ?? messageOf(cause)}.`, { cause })
    this.code = code
  }
}

const sentences: { readonly [code: string]: string } = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  EIO: 'the disk reports an error',
  EFBIG: 'the file would become too large',
}

/**
 * Opens a trace for appending; entries are numbered on where the file already holds some. A last line that another
 * process left unfinished is cut off.
 *
 * @param epoch from {@link runEpoch} of the process that began the run
 * @param now milliseconds since the run began, where it is over already: of an imported recording
 * @throws TraceWriteError when the file cannot be opened
 */
export function openTrace(path: string, epoch: number, redactor: Redactor, now?: () => number): TraceWriter {
  const { fd, lines, t, end, link } = open(path)
  const clock = now ?? clockSince(epoch, { notBefore: t })
  return new LineWriter(new TraceFile(path, fd, end), clock, { lines, link }, redactor)
}

/** A trace whose lines are written beside what goes on. */
export interface BatchedTrace extends TraceWriter {
  /** Settles when all lines so far stand in the file. @throws TraceWriteError */
  drained(): Promise<void>
}

/**
 * The same for who may not be kept waiting: lines are gathered for some milliseconds and written together. A killed process
 * loses those of its last moment. An entry that cannot be written is told when a later one is.
 *
 * @throws TraceWriteError when the file cannot be opened
 */
export function openBatchedTrace(path: string, epoch: number, redactor: Redactor): BatchedTrace {
  const { fd, lines, t, end, link } = open(path)
  const file = new BatchedFile(path, fd, end)
  const writer = new LineWriter(file, clockSince(epoch, { notBefore: t }), { lines, link }, redactor)
  return Object.assign(writer, { drained: () => file.drained() })
}

/** A trace that is kept in memory. */
export interface MemoryTrace extends TraceWriter {
  text(): string
}

/**
 * Records into memory; for many short runs in one process.
 * @param skippedMs milliseconds that the run has skipped so far
 */
export function memoryTrace(epoch: number, redactor: Redactor, skippedMs?: () => number): MemoryTrace {
  const kept: string[] = []
  const sink: Sink = { append: (line) => void kept.push(line), close: () => {} }
  const writer = new LineWriter(sink, clockSince(epoch, { skippedMs }), { lines: 0, link: chainStart }, redactor)
  return Object.assign(writer, { text: () => kept.join('') })
}

interface Sink {
  append(line: string): void
  close(): void
}

class LineWriter implements TraceWriter {
  readonly now: () => number
  readonly #sink: Sink
  readonly #redactor: Redactor
  #lines: number
  #link: string

  constructor(
    sink: Sink,
    now: () => number,
    before: { readonly lines: number; readonly link: string },
    redactor: Redactor,
  ) {
    this.#sink = sink
    this.now = now
    this.#lines = before.lines
    this.#link = before.link
    this.#redactor = redactor
  }

  get lines(): number {
    return this.#lines
  }

  write(draft: Draft): Written {
    const t = draft.kind === 'header' ? 0 : this.now()
    const { kind, ...rest } = this.#redactor.entry(draft)
    const { line, link } = linkedLine(this.#link, JSON.stringify({ kind, t, ...rest }))
    this.#sink.append(`${line}\n`)
    this.#lines += 1
    this.#link = link
    return { line: this.#lines, t }
  }

  close(): void {
    this.#sink.close()
  }
}

/** One `write` call a line, so that a killed process loses at most the line that it was writing. */
class TraceFile implements Sink {
  readonly #path: string
  #fd: number | undefined
  #end: number
  #broken: TraceWriteError | undefined

  constructor(path: string, fd: number, end: number) {
    this.#path = path
    this.#fd = fd
    this.#end = end
  }

  append(line: string): void {
    if (this.#broken !== undefined) throw this.#broken
    const bytes = Buffer.from(line)
    try {
      if (this.#fd === undefined) throw new Error('it is closed')
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done)
      this.#end += bytes.length
    } catch (error) {
      this.#broken = new TraceWriteError(this.#path, error)
      if (this.#fd !== undefined) dropAfter(this.#fd, this.#end)
      throw this.#broken
    }
  }

  close(): void {
    if (this.#fd === undefined) return
    closeSync(this.#fd)
    this.#fd = undefined
  }
}

/** How long lines are gathered before they are written, in milliseconds. */
const gathered_ms = 10
const writeBytes = promisify(write)

class BatchedFile implements Sink {
  readonly #path: string
  readonly #fd: number
  #end: number
  #waiting: string[] = []
  #writing: Promise<void> | undefined
  #broken: TraceWriteError | undefined
  #open = true

  constructor(path: string, fd: number, end: number) {
    this.#path = path
    this.#fd = fd
    this.#end = end
  }

  append(line: string): void {
    if (this.#broken !== undefined) throw this.#broken
    this.#waiting.push(line)
    this.#writing ??= this.#writeAll()
  }

  async drained(): Promise<void> {
    await this.#writing
    if (this.#broken !== undefined) throw this.#broken
  }

  /** To be called once all is drained. A second call closes nothing: by then the number may be that of another file. */
  close(): void {
    if (!this.#open) return
    this.#open = false
    this.#broken ??= new TraceWriteError(this.#path, new Error('it is closed'))
    closeSync(this.#fd)
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await sleep(gathered_ms)
        const bytes = Buffer.from(this.#waiting.splice(0).join(''))
        for (let done = 0; done < bytes.length; ) {
          done += (await writeBytes(this.#fd, bytes, done, bytes.length - done, null)).bytesWritten
        }
        this.#end += bytes.length
      }
    } catch (error) {
      this.#broken = new TraceWriteError(this.#path, error)
      dropAfter(this.#fd, this.#end)
    }
    this.#writing = undefined
  }
}

/** Cuts off a line that could not be written whole. */
function dropAfter(fd: number, end: number): void {
  try {
    ftruncateSync(fd, end)
  } catch {
    // A truncated last line is legal.
  }
}

function open(path: string): { fd: number; lines: number; t: number; end: number; link: string } {
  try {
    const fd = openSync(path, 'a+')
    const size = fstatSync(fd).size
    const found = lastWholeLine((buffer, position) => readSync(fd, buffer, 0, buffer.length, position), size)
    if (found.end < size) ftruncateSync(fd, found.end)
    return { fd, lines: found.lines, t: timeOf(found.text), end: found.end, link: linkOf(found.text) }
  } catch (error) {
    throw new TraceWriteError(path, error)
  }
}

function timeOf(line: string): number {
  if (line === '') return 0
  const entry = JSON.parse(line) as { t?: unknown }
  return typeof entry.t === 'number' ? entry.t : 0
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The same trace, but for how an entry is written. */
export function withWrite(writer: TraceWriter, taken: TraceWriter['write']): TraceWriter {
  return {
    write: taken,
    now: () => writer.now(),
    get lines() {
      return writer.lines
    },
    close: () => writer.close(),
  }
}
