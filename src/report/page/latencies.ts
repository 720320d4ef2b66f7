import type { TraceIndex } from '#judge/trace-index'
import { type Html, html } from '#page/html'
import { milliseconds, number } from '#page/numbers'
import { table } from '#page/parts'
import { printable } from '#text/printable'
import { quantile, timingsOf, type TraceTimings } from '../timings.ts'

/** Times of REST operations and of events, from the trace: reported, never judged. */
export function latencies(index: TraceIndex): Html {
  const { rest, events } = timingsOf(index)
  return html`${timingTable('REST operations, from the request to the whole answer', rest)}${timingTable('Control channel', events)}`
}

function timingTable(caption: string, timings: TraceTimings['rest']): Html {
  const columns = [
    { title: 'What' },
    ...['Count', 'p50', 'p95', 'Max'].map((title) => ({ title, numeric: true })),
    { title: 'Slowest at line', numeric: true },
  ]
  const rows = [...timings]
    .map(([name, list]) => ({ name, list: list.toSorted((a, b) => a.ms - b.ms) }))
    .toSorted((a, b) => quantile(b.list, 0.95) - quantile(a.list, 0.95))
    .map(({ name, list }) => {
      const slowest = list.at(-1)
      return [
        printable(name),
        number(list.length),
        ...[0.5, 0.95, 1].map((share) => milliseconds(quantile(list, share))),
        String(slowest?.line ?? ''),
      ]
    })
  return rows.length === 0 ? html`<p>${caption}: nothing was timed.</p>` : table(caption, columns, rows)
}
