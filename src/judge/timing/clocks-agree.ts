import { isDateTime } from '#spec/formats'
import { textAt } from '#trace/json'
import { readOnce } from '../read-once.ts'
import type { TraceIndex } from '../trace-index.ts'
import { clock_ms } from './made.ts'
import { ourClockAt } from './our-clock.ts'

const makers: ReadonlySet<string> = new Set(['create-world-session', 'upload-audio', 'create-character'])

/**
 * Whether the target has told the time as our clock does when it made something: then ours counts where answers have no date.
 * One time that agrees is enough, be it of what is judged: it is no accident.
 */
export const clocksAgree = readOnce((trace: TraceIndex): boolean =>
  [...trace.exchanges.values()]
    .filter(({ operation }) => operation !== null && makers.has(operation))
    .flatMap(({ attempts }) => attempts.flatMap(({ response }) => (response === undefined ? [] : [response.entry])))
    .some(({ body, t }) => {
      const [theirs, ours] = [textAt(body, '/data/created_at'), ourClockAt(trace, t)]
      if (theirs === undefined || ours === undefined || !isDateTime(theirs)) return false
      return Math.abs(Date.parse(theirs) - ours) <= clock_ms
    }),
)

/** Our clock where the target's own is known to agree with it, as {@link ourClockAt}; otherwise undefined. */
export function agreedClockAt(trace: TraceIndex, t: number): number | undefined {
  return clocksAgree(trace) ? ourClockAt(trace, t) : undefined
}
