import { envelopeOf } from '../../src/judge/answers.ts'
import type { Attempt, TraceIndex } from '../../src/judge/trace-index.ts'
import type { ResponseEntry } from '../../src/trace/entry.ts'
import { isObject, type Json, type JsonObject } from '../../src/trace/json.ts'

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
export function persistentFaults(trace: TraceIndex): readonly Attempt[] {
  return [...alike(trace)].flatMap((attempts) => {
    const last = attempts.at(-1)
    const persistent = attempts.length >= 3 && attempts.every(({ response }) => isBare(response?.entry))
    return last !== undefined && persistent && enclosed(trace, attempts) ? [last] : []
  })
}

/** Attempts at the same request, whichever exchange they belong to. */
function alike(trace: TraceIndex): Iterable<readonly Attempt[]> {
  const found = new Map<string, Attempt[]>()
  for (const { operation, key, attempts } of trace.exchanges.values()) {
    if (operation === null) continue
    for (const attempt of attempts) {
      const { method, path, body, text } = attempt.request.entry
      const name = JSON.stringify([key, method, path, isObject(body) ? withoutKey(body) : body, text])
      found.set(name, [...(found.get(name) ?? []), attempt])
    }
  }
  return found.values()
}

function withoutKey(body: JsonObject): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'idempotency_key'))
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
