import type { TraceWriter } from './writer.ts'

/** The same trace, but for how an entry is written. */
export function withWrite(writer: TraceWriter, write: TraceWriter['write']): TraceWriter {
  return {
    write,
    now: () => writer.now(),
    get lines() {
      return writer.lines
    },
    close: () => writer.close(),
  }
}
