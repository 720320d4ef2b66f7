import type { Rule } from '#judge/rule'
import type { Json } from '#trace/json'

const row = 'authentication.api-key.never-echoed'

/** No reply holds the key that it was asked for with (5.1: "The key stays on the server"). */
export const echo: Rule = {
  id: 'authentication.echo',
  proves: [row],
  judge(trace, report) {
    for (const { key, operation, scenario, attempts } of trace.exchanges.values()) {
      if (operation === null || key === 'none' || key === 'malformed') continue
      const standIn = `[api_key ${key}]`
      for (const { request, response } of attempts) {
        if (response === undefined) continue
        const { body, text, headers } = response.entry
        const seen = [body, text, headers].some((part) => holds(part, standIn))
        const lines = [request.line, response.line]
        if (seen) report.broken(row, { expected: 'a reply without the API key', got: standIn, lines, scenario })
        else report.held(row, response.line)
      }
    }
  },
}

function holds(part: Json | undefined, standIn: string): boolean {
  const text = part === undefined ? '' : JSON.stringify(part)
  return text.includes(standIn) || text.includes(encodeURIComponent(standIn))
}
