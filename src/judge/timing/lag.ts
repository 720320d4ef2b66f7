import { readOnce } from '../read-once.ts'
import { timeoutOf } from './timeouts.ts'
import type { TraceIndex } from '../trace-index.ts'

/**
 * How far lists and reads of this run's target may be behind what was written, in milliseconds (`timeouts.lag_ms` of the
 * profile). Nothing in the interface promises that a write shows at once elsewhere.
 */
export const lagOf = readOnce((trace: TraceIndex): number => timeoutOf(trace, 'lag_ms'))

/** Whether a read that was sent at `asked` shows what was answered at `written`, both in milliseconds of the run. */
export function isSettled(trace: TraceIndex, written: number, asked: number): boolean {
  return asked - written >= lagOf(trace)
}
