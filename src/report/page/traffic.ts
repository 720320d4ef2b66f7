import type { Results } from '#judge/results'
import type { TraceIndex } from '#judge/trace-index'
import { type Chart, type Drawn, figure } from '#page/charts'
import { html, nothing } from '#page/html'
import { duration, number } from '#page/numbers'
import { table } from '#page/parts'
import { printable } from '#text/printable'

/** Windows of the chart; a run of any length has as many at most. */
const mostWindows = 60
/** Keys that are told apart. */
const linesShown = 6

/** What was sent with which key, and when; what was waited for. */
export function traffic({ traffic: sums, run }: Results, index: TraceIndex | undefined): Drawn {
  const columns = [
    { title: 'Key' },
    { title: 'REST requests', numeric: true },
    { title: 'Sessions created', numeric: true },
  ]
  const rows = Object.entries(sums.by_key).map(([key, { rest_requests, sessions_created }]) => [
    printable(key),
    number(rest_requests),
    number(sessions_created),
  ])
  const keys = table('Requests and sessions by key', columns, rows)
  if (index === undefined) return { markup: keys, charts: [] }
  const chart = pace(index, run.duration_ms)
  const numbers = table('Requests in each window', chartColumns(chart), chartRows(chart))
  return { markup: html`${keys}${figure(chart, numbers)}${waits(index)}`, charts: [chart] }
}

function pace(index: TraceIndex, ms: number): Chart {
  const size = Math.max(1, Math.ceil(ms / 1_000 / mostWindows))
  const windows = Math.max(1, Math.ceil(ms / 1_000 / size))
  const byKey = new Map<string, number[]>()
  for (const { key, attempts } of index.asked.values()) {
    const counts = byKey.get(key) ?? Array.from({ length: windows }, () => 0)
    byKey.set(key, counts)
    for (const { request } of attempts) {
      const window = Math.min(windows - 1, Math.floor(request.entry.t / 1_000 / size))
      counts[window] = (counts[window] ?? 0) + 1
    }
  }
  const busiest = [...byKey].toSorted(([, a], [, b]) => sum(b) - sum(a))
  return {
    id: 'pace-chart',
    title: `Requests in each ${size === 1 ? 'second' : `${size} s`}`,
    says: `By key, ${Math.min(linesShown, busiest.length)} of ${busiest.length} keys.`,
    axis: 'seconds',
    x: Array.from({ length: windows }, (_, window) => window * size),
    unit: 'requests',
    lines: busiest.slice(0, linesShown).map(([key, values]) => ({ label: printable(key, 40), values })),
  }
}

function chartColumns({ lines }: Chart): { title: string; numeric: true }[] {
  return [{ title: 'Seconds', numeric: true }, ...lines.map(({ label }) => ({ title: label, numeric: true as const }))]
}

function chartRows({ x, lines }: Chart): string[][] {
  return x.map((at, place) => [number(at), ...lines.map(({ values }) => number(values[place]))])
}

const reasons: { readonly [why: string]: string } = {
  pace: 'the pace of a key',
  'retry-after': 'Retry-After',
  quota: 'earlier requests to count no longer',
  event: 'an event',
  timer: 'a timer of the interface',
  quiet: 'silence',
  backoff: 'another try',
  lag: 'a list to catch up',
}

function waits({ entries }: TraceIndex): Drawn['markup'] {
  const waited = Map.groupBy(
    entries.filter((entry) => entry.kind === 'wait'),
    ({ why }) => why,
  )
  if (waited.size === 0) return nothing
  const rows = [...waited].map(([why, list]) => {
    const total = sum(list.map(({ ms }) => ms))
    return [
      reasons[why] ?? printable(why),
      number(list.length),
      duration(total),
      duration(Math.max(...list.map(({ ms }) => ms))),
    ]
  })
  const columns = [
    { title: 'Waited for' },
    ...['Times', 'Altogether', 'Longest'].map((title) => ({ title, numeric: true })),
  ]
  return table('Waits; scenarios run side by side, so that they overlap', columns, rows)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
