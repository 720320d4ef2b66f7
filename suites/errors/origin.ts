import { envelopeOf } from '../../src/judge/answers.ts'
import type { Attempt, TraceIndex } from '../../src/judge/trace-index.ts'
import type { ResponseEntry } from '../../src/trace/entry.ts'
import { isObject } from '../../src/trace/json.ts'

/**
 * Who gave an answer. Of a proxy in front (an HTML page, a bare 5xx, a redirect) nothing is demanded: that is weather.
 * Everything else that answers one of the operations is the target, failures and malformed JSON included.
 */
export function isTargets(response: ResponseEntry): boolean {
  if (isObject(response.body) && (Object.hasOwn(response.body, 'code') || Object.hasOwn(response.body, 'data')))
    return true
  const type = response.headers['content-type'] ?? ''
  if (type.includes('text/html')) return false
  if (response.status < 300) return true
  return response.status >= 400 && response.status < 500
}

/**
 * Bare 5xx that the target itself must answer for: the same request got nothing else, several times over, while others
 * before and after it were enveloped.
 */
export function persistentFaults(trace: TraceIndex): Attempt[] {
  const faults: Attempt[] = []
  for (const record of trace.exchanges.values()) {
    const bare = record.attempts.filter((attempt) => isBare(attempt.response?.entry))
    const last = bare.at(-1)
    if (
      last !== undefined &&
      bare.length >= 3 &&
      bare.length === record.attempts.length &&
      enclosed(trace, record.attempts)
    ) {
      faults.push(last)
    }
  }
  return faults
}

function isBare(response: ResponseEntry | undefined): boolean {
  return response !== undefined && response.status >= 500 && envelopeOf(response.body) === undefined
}

function enclosed(trace: TraceIndex, attempts: readonly Attempt[]): boolean {
  const first = attempts[0]?.request.line ?? 0
  const last = attempts.at(-1)?.request.line ?? 0
  let [before, after] = [false, false]
  for (const record of trace.exchanges.values()) {
    for (const { response } of record.attempts) {
      if (response === undefined || envelopeOf(response.entry.body) === undefined) continue
      if (response.line < first) before = true
      if (response.line > last) after = true
    }
  }
  return before && after
}
