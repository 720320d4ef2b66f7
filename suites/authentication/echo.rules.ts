import type { Rule } from '#judge/rule'
import { isObject, type Json } from '#trace/json'

const row = 'authentication.api-key.never-echoed'

/** What stands for the key in the header of a request. */
const shownKey = /\[api_key [\w.-]+\]/

/** No reply holds the key that it was asked for with (5.1: "The key stays on the server"). */
export const echo: Rule = {
  id: 'authentication.echo',
  proves: [row],
  judge(trace, report) {
    for (const { key, operation, scenario, attempts } of trace.exchanges.values()) {
      if (operation === null || key === 'none' || key === 'malformed') continue
      for (const { request, response } of attempts) {
        if (response === undefined) continue
        // In a recording a key that no profile names stands under a number.
        const own =
          trace.header?.recording === undefined
            ? undefined
            : shownKey.exec(request.entry.headers['authorization'] ?? '')
        const standIn = own?.[0] ?? `[api_key ${key}]`
        const encoded = encodeURIComponent(standIn)
        const { body, text, headers } = response.entry
        const seen = [body, text, headers].some((part) => holds(part, standIn, encoded))
        const lines = [request.line, response.line]
        if (seen) report.broken(row, { expected: 'a reply without the API key', got: standIn, lines, scenario })
        else report.held(row, response.line)
      }
    }
  },
}

/** Whether a text or the name of a member holds it, at any depth. */
function holds(part: Json | undefined, standIn: string, encoded: string): boolean {
  if (typeof part === 'string') return part.includes(standIn) || part.includes(encoded)
  if (Array.isArray(part)) return part.some((one: Json) => holds(one, standIn, encoded))
  if (!isObject(part)) return false
  for (const name in part) {
    if (holds(name, standIn, encoded) || holds(part[name], standIn, encoded)) return true
  }
  return false
}
