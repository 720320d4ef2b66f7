import { printable } from '#text/printable'
import { readTrace, type Trace, TraceFormatError } from '#trace/reader'
import { fileTrouble, usage } from './stop.ts'

/** @throws Stop (2) for a file that is no trace or cannot be read */
export function readTraceFile(file: string): Trace {
  try {
    return readTrace(file)
  } catch (error) {
    if (error instanceof TraceFormatError)
      throw usage(`${file} is no trace: ${printable(error.message)}; give trace.ndjson of a run`)
    throw usage(`the trace ${file} cannot be read: ${fileTrouble(error)}`)
  }
}
