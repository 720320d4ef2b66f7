import { isMishap } from '#spec/tables'
import { answerTo } from '../answers.ts'
import { readOnce } from '../read-once.ts'
import type { Attempt, TraceIndex } from '../trace-index.ts'

/** The target itself answered that it failed (section 7: 5xx), and not for what was asked. */
export function isFailedOver(attempt: Attempt): boolean {
  const answer = answerTo(attempt)
  return answer.kind === 'failure' && isMishap(answer)
}

/** The failures behind which nothing else came any more. */
export function lastFailures(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.slice(attempts.findLastIndex((attempt) => !isFailedOver(attempt)) + 1)
}

/** How many attempts failed, of how many. */
interface Tally {
  failed: number
  all: number
}

/**
 * How often requests for this operation fail by accident, as a share: a service under pressure may fail over many of them
 * (section 7), and then several times in a row over the same one. A failure that did not pass when it was asked again does
 * not count: it may be none.
 */
export function failureRate(trace: TraceIndex, operation: string | null | undefined): number {
  const { own, total } = tallies(trace)
  return Math.max(shareOf(total), shareOf(own.get(operation ?? '')))
}

const tallies = readOnce((trace: TraceIndex): { readonly own: ReadonlyMap<string, Tally>; readonly total: Tally } => {
  const own = new Map<string, Tally>()
  const total: Tally = { failed: 0, all: 0 }
  for (const { operation, attempts } of trace.exchanges.values()) {
    const answered = attempts.filter(({ response }) => response !== undefined)
    const passed = answered.slice(0, answered.length - lastFailures(answered).length)
    if (passed.length === 0) continue
    const tally = own.get(operation ?? '') ?? { failed: 0, all: 0 }
    own.set(operation ?? '', tally)
    for (const one of [tally, total]) {
      one.failed += passed.filter(isFailedOver).length
      one.all += passed.length
    }
  }
  return { own, total }
})

function shareOf(tally: Tally | undefined): number {
  return tally === undefined || tally.all === 0 ? 0 : tally.failed / tally.all
}
