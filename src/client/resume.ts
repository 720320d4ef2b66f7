import type { Entry } from '../trace/entry.ts'
import type { LastNumbers } from './numbers.ts'
import type { SentTimes } from './pace.ts'

/** What a client needs to go on where another process of the same run stopped. */
export interface Resumption {
  readonly start_numbers: LastNumbers
  readonly sent_times: SentTimes
}

/** Reads the last numbers, and when each key sent its requests, from the trace so far. */
export function resumeFrom(entries: readonly Entry[]): Resumption {
  const last = { exchange: 0, channel: 0, frame: 0, claim: 0, mark: 0 }
  const sent = new Map<string, number[]>()
  for (const entry of entries) {
    for (const kind of ['exchange', 'channel', 'frame', 'claim', 'mark'] as const) {
      const number: unknown = (entry as Partial<Record<typeof kind, unknown>>)[kind]
      if (typeof number === 'number') last[kind] = Math.max(last[kind], number)
    }
    if (entry.kind === 'request') sent.set(entry.key, [...(sent.get(entry.key) ?? []).slice(-4_000), entry.t])
  }
  return { start_numbers: last, sent_times: Object.fromEntries(sent) }
}
