import { idsIn } from '#scenario/author/session-ids'
import type { Entry, ResponseEntry } from '#trace/entry'
import { at } from '#trace/json'
import { printable } from '#text/printable'

const responses = (entries: readonly Entry[]): readonly ResponseEntry[] =>
  entries.filter((entry) => entry.kind === 'response')

/** Avatar sessions that were open before anything was made, as List Sessions shows them; it may show a page of them. */
export function sessionsOpen(entries: readonly Entry[]): number | undefined {
  const first = responses(entries).find(({ body }) => at(body, '/code') === 0)
  return first === undefined ? undefined : idsIn(at(first.body, '/data')).size
}

/** How far the target's clock is ahead of ours, in seconds (below 0: behind); its header `Date` is cut to whole seconds. */
export function clockAhead(entries: readonly Entry[]): number | undefined {
  const [header] = entries
  if (header?.kind !== 'header') return undefined
  const began = Date.parse(header.date)
  for (const { headers, t } of responses(entries)) {
    const theirs = Date.parse(headers['date'] ?? '')
    if (!Number.isNaN(theirs)) return Math.round((theirs + 500 - began - t) / 1000)
  }
  return undefined
}

/** Headers that speak of a rate limit. The interface knows none, so they are shown as they came. */
export function rateHeaders(entries: readonly Entry[]): readonly string[] {
  const found = new Map<string, string>()
  for (const { headers } of responses(entries)) {
    for (const [name, value] of Object.entries(headers)) {
      if (/rate-?limit/i.test(name) && !/reset|remaining/i.test(name)) found.set(name, printable(value, 60))
    }
  }
  return [...found].map(([name, value]) => `${name}: ${value}`)
}

/** Milliseconds that the target took for its quickest answer. */
export function quickestAnswer(entries: readonly Entry[]): number | undefined {
  const sent = new Map(
    entries.flatMap((entry) => (entry.kind === 'request' ? [[entry.exchange, entry.t] as const] : [])),
  )
  const times = responses(entries).flatMap(({ exchange, t }) => {
    const from = sent.get(exchange)
    return from === undefined ? [] : [t - from]
  })
  return times.length === 0 ? undefined : Math.round(Math.min(...times))
}
