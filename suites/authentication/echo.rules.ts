import { createdSession } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import { isRecording } from '#judge/recordings'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import type { RequestEntry } from '#trace/entry'
import { at, isObject, type Json } from '#trace/json'

const row = 'authentication.api-key.never-echoed'

/** What stands for the key in the header of a request. */
const shownKey = /\[api_key [\w.-]+\]/

/**
 * Neither a reply nor an event of a session holds the key that it was asked for with (5.1: "The key stays on the server"):
 * events go into browsers as they are.
 */
export const echo: Rule = {
  id: 'authentication.echo',
  proves: [row],
  judge(trace, report) {
    for (const record of trace.exchanges.values()) {
      if (record.operation === null || record.key === 'none' || record.key === 'malformed') continue
      for (const { request, response } of record.attempts) {
        if (response === undefined) continue
        const standIn = standInOf(trace, record, request.entry)
        const { body, text, headers } = response.entry
        const lines = [request.line, response.line]
        const { scenario } = record
        if (isRefusedKey(body)) continue
        const isShown = holdsAny([body, text, headers], standIn)
        if (isShown && holdsAny([withoutProviderKeys(body), text, headers], standIn))
          report.broken(row, { expected: 'a reply without the API key', got: standIn, lines, scenario })
        else report.held(row, response.line)
      }
    }
    judgeEvents(trace, report)
  },
}

/** A key that is none (10003) may be named in its refusal: it lets nobody in. */
const isRefusedKey = (body: Json | undefined): boolean => at(body, '/code') === 10003

/** A client may use its key as that of a provider, too: the configuration that it saved is returned (2.7). */
const providerKeys: ReadonlySet<string> = new Set(['llm_api_key', 'tts_api_key'])

function withoutProviderKeys(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((one: Json) => withoutProviderKeys(one) ?? null)
  if (!isObject(value)) return value
  const others = Object.entries(value).filter(([name]) => !providerKeys.has(name))
  return Object.fromEntries(others.map(([name, inside]) => [name, withoutProviderKeys(inside) ?? null]))
}

/** In a recording a key that no profile names stands under a number. */
function standInOf(trace: TraceIndex, { key }: ExchangeRecord, { headers }: RequestEntry): string {
  const own = !isRecording(trace) ? undefined : shownKey.exec(headers['authorization'] ?? '')
  return own?.[0] ?? `[api_key ${key}]`
}

function judgeEvents(trace: TraceIndex, report: Report): void {
  const keys = keysBySession(trace)
  for (const { session, open, frames, scenario } of trace.channels.values()) {
    const standIn = keys.get(session)
    // Where the key came as a credential, which it is not, a refusal may name it.
    if (standIn === undefined || holdsAny([open.entry.url, open.entry.secret], standIn)) continue
    const encoded = encodeURIComponent(standIn)
    const leak = frames.find(({ direction, data }) => direction === 'received' && holds(data, standIn, encoded))
    if (leak === undefined) continue
    const expected = 'an event without the API key'
    report.broken(row, { expected, got: standIn, lines: [open.line, leak.line], scenario })
  }
}

/** What stands for the key that each session was created with. */
function keysBySession(trace: TraceIndex): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const record of trace.exchanges.values()) {
    const [session, request] = [createdSession(record), record.attempts[0]?.request.entry]
    if (session !== undefined && request !== undefined) keys.set(session, standInOf(trace, record, request))
  }
  return keys
}

function holdsAny(parts: readonly (Json | undefined)[], standIn: string): boolean {
  const encoded = encodeURIComponent(standIn)
  return parts.some((part) => holds(part, standIn, encoded))
}

/** Whether a text or the name of a member holds it, at any depth. */
function holds(part: Json | undefined, standIn: string, encoded: string): boolean {
  // Most texts and names are too short, and what is encoded is no shorter.
  if (typeof part === 'string')
    return part.length >= standIn.length && (part.includes(standIn) || part.includes(encoded))
  if (Array.isArray(part)) return part.some((one: Json) => holds(one, standIn, encoded))
  if (!isObject(part)) return false
  for (const name in part) {
    if (holds(name, standIn, encoded) || holds(part[name], standIn, encoded)) return true
  }
  return false
}
