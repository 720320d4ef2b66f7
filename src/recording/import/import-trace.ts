import type { Entry } from '#trace/entry'
import { LineReader } from '#trace/growing/line-reader'
import { createRedactor } from '#trace/redact'
import { type Draft, openTrace, type TraceWriter } from '#trace/writer'
import { runKinds } from '../run-kinds.ts'

/**
 * Makes a recording of the samples of a load run (`samples.ndjson`), or of any other trace: judged by the rules alone.
 *
 * @param trace says where it is written, once the file has turned out to be a trace
 * @returns sentences about what the file lacks
 * @throws TraceFormatError, TraceWriteError; the system's error for the file
 */
export function importTrace(file: string, trace: () => string): readonly string[] {
  const reader = new LineReader(file)
  let t = 0
  let writer: TraceWriter | undefined
  try {
    for (const { entry } of reader.more()) {
      t = Math.max(t, entry.t)
      // Without a date of its own the trace begins when it says that it began.
      writer ??= openTrace(trace(), 0, createRedactor([]), () => t)
      // Its own end is left out: the one below says that all of it was read.
      if (!runKinds.has(entry.kind) && entry.kind !== 'end') writer.write(asDraft(entry))
    }
    writer ??= openTrace(trace(), 0, createRedactor([]), () => t)
    writer.write({ kind: 'end', outcome: 'completed' })
    return reader.last().truncated ? ['the last line was cut off, and is left out'] : []
  } finally {
    writer?.close()
    reader.close()
  }
}

function asDraft(entry: Entry): Draft {
  const rest: { scenario?: string } & Draft = { ...entry }
  // Without its claims, a scenario would be judged as if nothing of it was to be refused.
  delete rest.scenario
  return rest.kind === 'header' ? { ...rest, only: [], manifest: [], skipped: [], recording: 'load-samples' } : rest
}
