import type { Entry } from '#trace/entry'
import { indexTrace, type TraceIndex } from '../trace-index.ts'

/** An entry with its line in the trace and the bytes of that line. */
export interface Line {
  readonly line: number
  readonly entry: Entry
  readonly bytes: number
}

/** How much of a recording is held at once. */
export interface WindowSize {
  readonly lines: number
  readonly bytes: number
}

/** Some seconds of judging, and some hundred megabytes; a run of `check` has a tenth of these lines. */
export const defaultWindow: WindowSize = { lines: 60_000, bytes: 64 * 2 ** 20 }

/** The part of a recording that is held: what goes on, and what came last. */
export class Window {
  #lines: Line[] = []
  #bytes = 0
  #carried: WindowSize = { lines: 0, bytes: 0 }
  /** Milliseconds from which on every request is here. */
  since = 0

  get lines(): readonly Line[] {
    return this.#lines
  }

  get last(): Line | undefined {
    return this.#lines.at(-1)
  }

  add(line: Line): void {
    this.#lines.push(line)
    this.#bytes += line.bytes
  }

  /** A quarter of it is always new, so that little is judged twice. */
  isFull({ lines, bytes }: WindowSize): boolean {
    const { lines: carriedLines, bytes: carriedBytes } = this.#carried
    return (
      this.#lines.length >= Math.max(lines, carriedLines + lines / 4) ||
      this.#bytes >= Math.max(bytes, carriedBytes + bytes / 4)
    )
  }

  keep(kept: readonly Line[], since: number): void {
    this.#lines = [...kept]
    this.#bytes = kept.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#carried = { lines: this.#lines.length, bytes: this.#bytes }
    this.since = since
  }

  index(): TraceIndex {
    const lines = this.#lines
    return indexTrace(
      lines.map(({ entry }) => entry),
      { lines: lines.map(({ line }) => line), since: this.since },
    )
  }
}
