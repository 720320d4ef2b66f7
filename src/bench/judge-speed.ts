import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import type { Entry } from '#trace/entry'
import { readTrace } from '#trace/reader'

/** Numbers that entries refer to each other by. */
const numbered = new Set(['exchange', 'channel', 'frame', 'claim', 'mark', 'sent', 'twin'])

/** Trace entries that the judge gets through in a second, on a real trace made `times` as long. */
export async function judgeSpeed(file: string, times: number): Promise<{ entries: number; perSecond: number }> {
  const read = readTrace(file)
  const entries = lengthened(read.entries, times)
  const rules = await loadRules()
  judge({ ...read, entries: read.entries }, register(), rules)
  const began = performance.now()
  judge({ ...read, entries }, register(), rules)
  const seconds = (performance.now() - began) / 1_000
  return { entries: entries.length, perSecond: Math.round(entries.length / seconds) }
}

/** The same run again and again, each time under numbers, session ids and idempotency keys of its own. */
function lengthened(entries: readonly Entry[], times: number): Entry[] {
  const [header, ...rest] = entries
  const body = rest.slice(0, -1)
  const length = (entries.at(-1)?.t ?? 0) + 1
  const copies = Array.from({ length: times }, (_, round) =>
    body.map((entry) => ({
      ...(shifted(entry, round * 1_000_000, `-${round}`) as Entry),
      t: entry.t + round * length,
    })),
  )
  return [header, ...copies.flat(), { ...entries.at(-1), t: times * length }].filter(
    (entry) => entry !== undefined,
  ) as Entry[]
}

function shifted(value: unknown, by: number, suffix: string, name = ''): unknown {
  if (typeof value === 'number') return numbered.has(name) ? value + by : value
  if (typeof value === 'string' && name === 'idempotency_key') return `${value}${suffix}`
  if (typeof value === 'string') return value.replaceAll(/\b(ses|rsp|itm)_[0-9a-z]+/g, (id) => `${id}${suffix}`)
  if (Array.isArray(value)) return value.map((item: unknown) => shifted(item, by, suffix))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, shifted(inside, by, suffix, key)]))
}
