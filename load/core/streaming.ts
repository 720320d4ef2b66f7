import { timeOf } from './histogram.ts'
import type { Tally } from './tally.ts'

/** What a conversation waits for, beside its texts. */
const waits = ['first_delta_ms', 'update_ms', 'create_ms', 'close_ms', 'request_ms', 'connect_ms'] as const

const summed = (tally: Tally, name: string): number => {
  let sum = 0
  tally.time(name).each((bucket, count) => (sum += count * timeOf(bucket)))
  return sum
}

/**
 * Whether texts that were coming held the users: text may come at the pace of speech, which is no fault of the service. Where
 * users are too few, iterations take longer than there are users for each that begins in a second; the texts have to be half of that
 * at least, and longer than all that was waited for.
 */
export function streamedMostly(
  tally: Tally,
  { users, rate }: { readonly users: number; readonly rate: number },
): boolean {
  const begun = tally.total('iterations', ['begun'])
  if (!tally.measures.times.includes('response_ms') || begun === 0 || rate === 0) return false
  const streamed = summed(tally, 'response_ms') - summed(tally, 'first_delta_ms')
  const waited = waits.reduce((sum, name) => sum + summed(tally, name), 0)
  return streamed > waited && streamed / begun >= (1_000 * users) / rate / 2
}
