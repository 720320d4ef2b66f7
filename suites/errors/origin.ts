import type { Attempt, TraceIndex } from '#judge/trace-index'
import { isLasting } from '#judge/transport'
import { mayBeEdges } from '#trace/edge'
import type { ResponseEntry } from '#trace/entry'

/**
 * Who gave an answer. Of an edge in front (a page, a bare 5xx, a redirect) nothing is demanded: that is a transport failure. Everything
 * else that answers one of the operations is the target, failures and malformed JSON included.
 */
export function isTargets(response: ResponseEntry): boolean {
  const redirects = response.status >= 300 && response.status < 400
  return !redirects && !mayBeEdges(response)
}

/** Answers that bear no envelope and that the target itself must answer for: the last of each request. */
export function lastingFaults(trace: TraceIndex): readonly Attempt[] {
  return [...trace.exchanges.values()].flatMap(({ operation, attempts }) => {
    const last = attempts.at(-1)
    const faulty = operation !== null && last?.response !== undefined && isLasting(trace, last)
    return faulty ? [last] : []
  })
}
