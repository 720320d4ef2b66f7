import { clockOf } from '../calls.ts'
import type { TraceIndex } from '../trace-index.ts'

/**
 * What our own clock showed, in milliseconds since 1970; undefined where the trace does not say when it began.
 *
 * @param t milliseconds of the run
 */
export function ourClockAt({ header }: TraceIndex, t: number): number | undefined {
  const began = clockOf(header?.date)
  return began === undefined ? undefined : began + t
}
