import { join } from 'node:path'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { inFolder } from '#testing/new-folder'
import type { Entry } from '#trace/entry'
import { readTrace } from '#trace/reader'
import { runBin } from './run-bin.ts'
import { readWords } from './command-line.ts'
import { stopwatch } from './stopwatch.ts'

// How fast traces are judged: `npm run bench -- judge [TRACE]`; without a trace, one of a standard run that it makes.
async function main(given: string | undefined): Promise<void> {
  await inFolder(async (folder) => {
    if (given === undefined) await runBin(['check', '--tier', 'standard', '--out', folder])
    const { entries, perSecond, perCpuSecond } = await judgeSpeed(given ?? join(folder, 'trace.ndjson'), 20)
    console.log(
      `judge: ${perSecond} trace entries a second (${entries} entries), ${perCpuSecond} a second of processor time`,
    )
  })
}

interface Speed {
  readonly entries: number
  readonly perSecond: number
  /** Of the time in which the process was running: others on the machine disturb it less. */
  readonly perCpuSecond: number
}

/** Numbers that entries refer to each other by. */
const numbered = new Set(['exchange', 'channel', 'frame', 'claim', 'mark', 'sent', 'twin'])

/** Trace entries that the judge gets through in a second, on a real trace made `times` as long. */
export async function judgeSpeed(file: string, times: number): Promise<Speed> {
  const read = readTrace(file)
  const entries = lengthened(read.entries, times)
  const rules = await loadRules()
  judge({ ...read, entries: read.entries }, register(), rules)
  const [seconds, used] = [stopwatch(), process.cpuUsage()]
  judge({ ...read, entries }, register(), rules)
  const took_s = seconds()
  const { user, system } = process.cpuUsage(used)
  const a = (time: number) => Math.round(entries.length / time)
  return { entries: entries.length, perSecond: a(took_s), perCpuSecond: a((user + system) / 1_000_000) }
}

/**
 * The same run again and again, each time under numbers, ids of avatar sessions and idempotency keys of its own. Other ids
 * come again in each round, which is harder on the judge than what any service shows.
 */
export function lengthened(entries: readonly Entry[], times: number): Entry[] {
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

if (import.meta.main) {
  const [trace] = readWords('npm run bench -- judge [trace]', '')
  await main(trace === '' ? undefined : trace)
}
